/** The shell script that starts a build or a server: sets its environment, then becomes the command. */
import { join } from 'node:path'
import { quote } from './shell-quote.ts'

/** Paths, in a build, of its files and home, and of this script. */
export const inside = { files: '/workspace', home: '/build/home', start: '/build/start' } as const

/** The only tmpfs for files of a build. */
export const sharedMemory = { path: '/dev/shm', bytes: 64 * 1024 * 1024 } as const

/** The directory, below the home of a build, of programs that come before those of the host. */
export const ownPrograms = '.svc/bin'

/** The complete environment of a build; nothing is inherited from this process. */
export function buildEnv(
  env: Record<string, string>,
  places: { path: string; home: string },
): Record<string, string> {
  const path = `${join(places.home, ownPrograms)}:${places.path}`
  return { PATH: path, HOME: places.home, LANG: 'C.UTF-8', CI: '1', ...env }
}

/** Nice values count only within a session, if the kernel groups processes by session. */
export const yieldAsGroup = (niceness: number) => `{ echo ${niceness} >/proc/self/autogroup; } 2>/dev/null`

/** The command, its directory inside, its environment, and what runs before these are set. */
type Started = { command: string; directory: string; env: Record<string, string>; before: string[] }

/**
 * The environment is part of the script: in arguments other users of the host would see it, and in the
 * environment of bubblewrap a build's `LD_PRELOAD` would take effect there, as root.
 */
export function startScript({ command, directory, env, before }: Started): string {
  return [
    ...before,
    `cd ${quote(directory)} || exit`,
    'unset OLDPWD',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}`),
    `exec /bin/sh -c ${quote(command)}`,
    '',
  ].join('\n')
}
