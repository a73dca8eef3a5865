/** Folders that a person chooses or drops. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder `dist` with the files; removed when the test ends. */
export async function folderOf(files: Record<string, string | Buffer>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'svc-drop-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'dist', path)), { recursive: true })
    await writeFile(join(root, 'dist', path), content)
  }
  return join(root, 'dist')
}

/** Sources for Vite, which is recognized by them, but can't be installed. */
export const viteSources = {
  'package.json': JSON.stringify({ devDependencies: { vite: '^7' }, scripts: { build: 'vite build' } }),
  'package-lock.json': '{}',
  'index.html': '<script type="module" src="/src/main.ts"></script>',
  'src/main.ts': '',
}
