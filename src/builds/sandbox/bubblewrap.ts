/** The arguments with which bubblewrap makes a sandbox. */
import type { Workspace } from '../workspace.ts'
import { type Limits, limitingCommand } from './limits.ts'
import { inside, sharedMemory } from './start-script.ts'
import type { Toolchain } from './toolchain.ts'

export type BuildNetwork = 'none' | 'host'

/** File descriptors of bubblewrap: for its options, for files, for what it says of itself, and for the filter of system calls. */
export const descriptors = {
  options: 3,
  start: 4,
  passwd: 5,
  group: 6,
  hosts: 7,
  status: 8,
  filter: 9,
} as const

/** Who a build is where user namespaces say so. */
const nobody = 65_534

type Sandbox = { workspace: Workspace; network: BuildNetwork; toolchain: Toolchain }

/**
 * What goes to `descriptors.options`, so that it isn't seen among the host's processes. As root the kernel lets us have
 * every namespace but that of users: the uid is dropped by `droppingCommand`, once all is mounted, and bubblewrap keeps
 * the three capabilities for that.
 */
export function bubblewrapOptions({ workspace, network, toolchain }: Sandbox): string[] {
  const file = (descriptor: number, path: string) => [
    '--perms',
    '0444',
    '--ro-bind-data',
    `${descriptor}`,
    path,
  ]
  const writable = ({ path, bytes }: { path: string; bytes: number }) => [
    ...['--perms', '1777', '--size', `${bytes}`, '--tmpfs', path],
  ]
  return [
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--hostname', 'build'],
    ...(network === 'none' ? ['--unshare-net'] : []),
    // Its own session, or it could type into our terminal. Bubblewrap ends only after a first process of ours.
    ...['--new-session', '--die-with-parent', '--as-pid-1', '--json-status-fd', `${descriptors.status}`],
    ...['--clearenv', '--cap-drop', 'ALL', '--seccomp', `${descriptors.filter}`],
    ...(workspace.owner === undefined
      ? ['--unshare-user', '--uid', `${nobody}`, '--gid', `${nobody}`]
      : ['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`])),
    ...toolchain.options,
    ...file(descriptors.passwd, '/etc/passwd'),
    ...file(descriptors.group, '/etc/group'),
    ...file(descriptors.hosts, '/etc/hosts'),
    ...(network === 'host' ? ['--ro-bind-try', '/etc/resolv.conf', '/etc/resolv.conf'] : []),
    ...['--proc', '/proc', '--dev', '/dev', ...writable(sharedMemory)],
    ...['--dir', '/build', '--bind', workspace.files, inside.files, '--bind', workspace.home, inside.home],
    ...['--bind', workspace.temporary, '/tmp', '--dir', '/var', '--symlink', '/tmp', '/var/tmp'],
    ...file(descriptors.start, inside.start),
    // Both live in memory without a limit. The script goes to the files, which may be closed even to root by now.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/'],
  ]
}

/**
 * What runs in the sandbox: a shell that stays, the first process, collects those whose parents are gone, and ends all others
 * with itself; below it what gives up the rest of root, takes the limits on and runs the build. The shell keeps its uid, as
 * bubblewrap can't end a process of another with its own death; a build has no way to reach it.
 */
export function sandboxedCommand(
  { owner }: Workspace,
  limits: Limits,
  { perProcess }: { perProcess: boolean },
): string[] {
  return [
    ...['/bin/sh', '-c', '"$@"; exit $?', 'init'],
    ...(owner === undefined ? [] : droppingCommand(owner)),
    ...limitingCommand(limits, { perUser: true, perProcess }),
    ...['/bin/sh', inside.start],
  ]
}

function droppingCommand(owner: number): string[] {
  return [
    ...['setpriv', `--reuid=${owner}`, `--regid=${owner}`, '--clear-groups', '--no-new-privs'],
    ...['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'],
  ]
}

/** The files of /etc that are made up. */
export function accountFiles({ owner = nobody }: Workspace): {
  passwd: string
  group: string
  hosts: string
} {
  return {
    passwd: `build:x:${owner}:${owner}:build:${inside.home}:/bin/sh\n`,
    group: `build:x:${owner}:\n`,
    hosts: '127.0.0.1 localhost\n::1 localhost\n',
  }
}
