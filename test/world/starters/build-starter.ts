/** Makes a starter's project, installs what it depends on from npm, and builds its site. */
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Starter } from './starters.ts'

/**
 * Builds it below `room`, an empty directory. Resolves to the directory of its output.
 * @throws with what the failed command printed.
 */
export async function buildStarter(starter: Starter, room: string): Promise<string> {
  const site = join(room, 'site')
  if (starter.create) await run(room, 'npm', ['exec', '--yes', '--', ...starter.create])
  await mkdir(site, { recursive: true })
  for (const [path, content] of Object.entries(starter.files ?? {})) {
    await mkdir(dirname(join(site, path)), { recursive: true })
    await writeFile(join(site, path), content)
  }
  await starter.prepare?.(site)
  await run(site, 'npm', ['install', ...quiet, ...(starter.add ?? [])])
  await (starter.build
    ? run(site, 'npx', ['--no', '--', ...starter.build])
    : run(site, 'npm', ['run', 'build']))
  return join(site, starter.output)
}

const quiet = ['--no-audit', '--no-fund', '--no-progress']

/** No terminal, so that nothing asks; no word of use to anybody. */
const surroundings = {
  CI: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
}

async function run(cwd: string, command: string, args: string[]): Promise<void> {
  const { NODE_ENV: _, ...environment } = process.env
  const env = { ...environment, ...surroundings }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${out}\n${err}`)
}
