/** The arguments of bubblewrap. */

import { type Limits, limitingCommand } from './limits.ts'
import { proxyInside } from './registries/forwarder.ts'
import type { BuildNetwork } from './registries/network.ts'
import { inside, sharedMemory } from './start-script.ts'
import type { Toolchain } from './toolchain.ts'
import { proxySocket, type Workspace } from './workspace.ts'

/** File descriptors of bubblewrap: for options, files, status, and the seccomp filter. */
export const descriptors = {
  options: 3,
  start: 4,
  passwd: 5,
  group: 6,
  hosts: 7,
  status: 8,
  filter: 9,
} as const

/** The uid and gid of a build in a user namespace. */
const nobody = 65_534

type Sandbox = { workspace: Workspace; network: BuildNetwork; toolchain: Toolchain }

/**
 * The options, which go to `descriptors.options` so that they aren't visible among the host's processes. As
 * root we can have every namespace but that of users: `droppingCommand` drops the uid once all is mounted,
 * and bubblewrap keeps the three capabilities for that.
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
    ...(network === 'host' ? [] : ['--unshare-net']),
    // A session of its own, or it could inject input into our terminal. The first process inside is ours.
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
    ...(typeof network === 'object' ? ['--bind', proxySocket(workspace), proxyInside] : []),
    ...['--bind', workspace.temporary, '/tmp', '--dir', '/var', '--symlink', '/tmp', '/var/tmp'],
    ...file(descriptors.start, inside.start),
    // Both are in memory without a size limit. The script goes to the files, which may be inaccessible even
    // to root by now.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/'],
  ]
}

/**
 * The first process in the sandbox: a shell that stays, reaps orphans, and ends all others with itself; its
 * child drops the rest of root's privileges, sets the limits and runs the build. The shell keeps its uid,
 * since bubblewrap's death signal works only for its own; a build can't reach it.
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

/** Synthetic files of /etc. */
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
