/** The shell script that begins a build: sets its environment, then becomes the command. */
import { join } from 'node:path'

/** Where the build finds its files and its home, and where this script is. */
export const inside = { files: '/workspace', home: '/build/home', start: '/build/start' } as const

/** The only place where a build can keep files in memory. */
export const sharedMemory = { path: '/dev/shm', bytes: 64 * 1024 * 1024 } as const

/** The environment of a build: what is given here and nothing of this process's. */
export function buildEnv(
  env: Record<string, string>,
  places: { path: string; home: string },
): Record<string, string> {
  return { PATH: places.path, HOME: places.home, LANG: 'C.UTF-8', CI: '1', ...env }
}

/** Niceness counts only among the processes of one session, where the kernel groups by session. */
export const yieldAsGroup = '{ echo 19 >/proc/self/autogroup; } 2>/dev/null'

/** What is run, where below the workspace's files, and with which environment. */
type Started = { command: string; directory: string; env: Record<string, string> }

/**
 * The environment comes in the script, since in arguments other users of the host would see it, and in the environment of
 * what sets up the sandbox a build's `LD_PRELOAD` would work there, as root.
 */
export function startScript({ command, directory, env }: Started): string {
  return [
    yieldAsGroup,
    `cd ${quote(join(inside.files, directory))} || exit`,
    'unset OLDPWD',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}`),
    `exec /bin/sh -c ${quote(command)}`,
    '',
  ].join('\n')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
