/** Dashboards of a few files, finished as the build finishes an export. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { DashboardPlace } from '../../src/api/server/dashboard/dashboard.ts'

export const inlineScript = 'self.__next_f=[]'

/** Long enough to be worth compressing. */
export const chunk = `export const words = '${'again and '.repeat(200)}'`

/**
 * An export's files, with the names that Next.js gives them; `build` is in each of its pages and in the name
 * of its chunk.
 */
export function exportedFiles(build: string): Record<string, string> {
  const page = (title: string) =>
    `<!doctype html><title>${title}</title><script src="/_next/static/${build}.js"></script>` +
    `<script>${inlineScript}</script><p>${build}`
  return {
    'index.html': page('svc'),
    'index.txt': 'payload of svc',
    '404.html': page('Not found'),
    '_not-found.html': page('Not found'),
    'theme.js': 'document.documentElement.dataset.theme',
    '_.html': page('team'),
    '_.txt': 'payload of team',
    '_/_.html': page('project'),
    '_/_.txt': 'payload of project',
    '_/_/__next._tree.txt': 'tree of project',
    '_/_/__next.$d$team.$d$project.__PAGE__.txt': 'part of project',
    '_/_/settings.html': page('settings'),
    '_/_/deployments/_.html': page('deployment'),
    '_/~/domains.html': page('domains'),
    '_/~/domains/_.html': page('domain'),
    '_/~/domains/_.txt': 'payload of domain',
    [`_next/static/${build}.js`]: chunk,
  }
}

/** A directory for a dashboard, to be removed in the end. */
export async function newPlace(): Promise<DashboardPlace & { root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'svc-dashboard-'))
  return { root, directory: join(root, 'dashboard'), building: join(root, '.dashboard') }
}

/** Builds these files into a place, over what is there. @throws where `finish.mjs` fails, with its output. */
export async function finishExport(
  { root, directory }: { root: string; directory: string },
  files: Record<string, string>,
): Promise<void> {
  const out = join(root, 'out')
  await rm(out, { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(out, name)), { recursive: true })
    await writeFile(join(out, name), text)
  }
  await promisify(execFile)(process.execPath, ['dashboard/export/finish.mjs', out, directory, 'digest'])
}
