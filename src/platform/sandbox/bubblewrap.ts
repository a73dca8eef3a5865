/** The arguments of bubblewrap. */

import { type KernelLimits, limitingCommand } from './limits.ts'
import type { Toolchain } from './toolchain.ts'

/**
 * File descriptors of bubblewrap: for its options, its status, and the filter of system calls; and, of the
 * first process in the sandbox, for its word with this one, and for the channel by which listeners are handed
 * over, which is closed before anything else runs.
 */
export const descriptors = { options: 3, status: 4, filter: 5, word: 6, channel: 7 } as const

/** The first of the descriptors with the content of files, one for each. */
export const firstFile = 8

/** The uid and gid of a sandbox in a user namespace. */
const nobody = 65_534

/** A file system in memory, at its path inside. */
export type MemoryFiles = { path: string; bytes: number }

/** The view of a sandbox: what its processes see of the host, and what they have besides. */
export type Profile = {
  /** Its host's name, and its user's. */
  name: string
  /** The uid of its processes; undefined if they are this process's own user, in a user namespace. */
  owner: number | undefined
  /** The host's; one with nothing in it; or the one that bubblewrap is started in, which isn't the host's. */
  network: 'host' | 'own' | 'given'
  toolchain: Toolchain
  /** Options that mount its directories. */
  mounts: string[]
  home: string
  /** Read-only files by their paths inside. */
  files: Record<string, string>
}

/** Options for a file system in memory that everybody inside may write to. */
export function inMemory({ path, bytes }: MemoryFiles): string[] {
  return ['--perms', '1777', '--size', `${bytes}`, '--tmpfs', path]
}

/**
 * The options, which go to `descriptors.options` so that they aren't visible among the host's processes. As
 * root we can have every namespace but that of users: `droppingCommand` drops the uid once all is mounted,
 * and bubblewrap keeps the three capabilities for that.
 */
export function bubblewrapOptions({ name, owner, network, toolchain, mounts, files }: Profile): string[] {
  return [
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--hostname', name],
    ...(network === 'own' ? ['--unshare-net'] : []),
    // A session of its own, or it could inject input into our terminal. The first process inside is ours.
    ...['--new-session', '--die-with-parent', '--as-pid-1', '--json-status-fd', `${descriptors.status}`],
    ...['--clearenv', '--cap-drop', 'ALL', '--seccomp', `${descriptors.filter}`],
    ...(owner === undefined
      ? ['--unshare-user', '--uid', `${nobody}`, '--gid', `${nobody}`]
      : ['SETUID', 'SETGID', 'SETPCAP'].flatMap((capability) => ['--cap-add', `CAP_${capability}`])),
    ...toolchain.options,
    ...(network === 'host' ? ['--ro-bind-try', '/etc/resolv.conf', '/etc/resolv.conf'] : []),
    ...['--proc', '/proc', '--dev', '/dev', ...mounts],
    ...Object.keys(files).flatMap((path, index) => [
      ...['--perms', '0444', '--ro-bind-data', `${firstFile + index}`, path],
    ]),
    // Both are in memory without a size limit. The script goes to its directory, which may be inaccessible
    // even to root by now.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/'],
  ]
}

/**
 * The first process in the sandbox: a shell that stays, reaps orphans, and ends all others with itself; its
 * child drops the rest of root's privileges, sets the limits and runs the script at `start`. The shell keeps
 * its uid, since bubblewrap's death signal works only for its own; what it runs can't reach it. That signal
 * is not sent where this process has died before it was set: therefore the shell says that it is there, and
 * goes on only once it is answered. The shell runs `before`, commands of ours, with privileges of its own.
 */
export function sandboxedCommand(
  { owner }: Pick<Profile, 'owner'>,
  start: string,
  limits: KernelLimits,
  { perProcess, before }: { perProcess: boolean; before: string[] },
): string[] {
  return [
    ...['/bin/sh', '-c', [awaitWord, ...before, '"$@"; exit $?'].join(' && '), 'init'],
    ...(owner === undefined ? [] : droppingCommand(owner)),
    ...limitingCommand(limits, { perUser: true, perProcess }),
    ...['/bin/sh', start],
  ]
}

/** A shell of the host may know descriptors of one digit only. */
const { word } = descriptors
const awaitWord = `echo >&${word} && read -r _ <&${word} && exec ${word}>&-`

function droppingCommand(owner: number): string[] {
  return [
    ...['setpriv', `--reuid=${owner}`, `--regid=${owner}`, '--clear-groups', '--no-new-privs'],
    ...['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'],
  ]
}

/** Synthetic files of /etc, by their paths. */
export function accountFiles({
  name,
  owner = nobody,
  home,
}: Pick<Profile, 'name' | 'owner' | 'home'>): Record<string, string> {
  return {
    '/etc/passwd': `${name}:x:${owner}:${owner}:${name}:${home}:/bin/sh\n`,
    '/etc/group': `${name}:x:${owner}:\n`,
    '/etc/hosts': '127.0.0.1 localhost\n::1 localhost\n',
  }
}
