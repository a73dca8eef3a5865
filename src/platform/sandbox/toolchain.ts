/** The host's programs and libraries in a sandbox, read-only. */
import { access, lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'

/** Options of bubblewrap, and the `PATH` of the programs. */
export type Toolchain = { options: string[]; path: string }

/** Directories of /usr that packages use; /usr/src and others may contain data of users. */
const programs = ['', '/local'].flatMap((below) =>
  ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'include', 'share'].map(
    (name) => `/usr${below}/${name}`,
  ),
)

/** Files of /etc that programs need; nothing of the host's users, services or keys. */
const settingFiles = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ca-certificates',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust',
]

export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Parent directories of mounts; bubblewrap itself would create them for their owner only. */
const directories = [
  ...['/usr', '/usr/local', '/etc', '/etc/ssl', '/etc/pki', '/etc/pki/tls'],
  ...['/opt', '/opt/node', '/opt/node/bin', '/opt/node/lib'],
]

/** The prefix of Node, if it isn't below /usr. */
const nodeAt = '/opt/node'

/** The toolchain of this host, with the Node whose program is `path` first on the `PATH`. */
export async function readToolchain(path: string): Promise<Toolchain> {
  const roots = await Promise.all(['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].map(mountRoot))
  const node = await realpath(path)
  const options = [
    ...directories.flatMap((path) => ['--dir', path]),
    ...roots.flat(),
    ...[...programs, ...settingFiles].flatMap((path) => ['--ro-bind-try', path, path]),
  ]
  const hasNpm = await isThere(join(dirname(node), 'npm'))
  const isSystems = programs.includes(dirname(node)) && basename(node) === 'node' && hasNpm
  if (isSystems) return { options, path: `${dirname(node)}:${systemPath}` }
  const modules = modulesOf(hasNpm ? node : await realpath(process.execPath))
  return { options: [...options, ...mountNode(node, modules)], path: `${nodeAt}/bin:${systemPath}` }
}

/**
 * The `PATH` of programs that have the host's. Where npm isn't beside `node`, it is that of the running Node.
 */
export function plainPath(node: string): string {
  const directories = new Set([dirname(node), dirname(process.execPath)])
  return [...directories, systemPath].join(':')
}

/** The directory in which a Node has npm. */
function modulesOf(node: string): string {
  return join(dirname(node), '../lib/node_modules')
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** A directory, or a link into /usr, as on the host. */
async function mountRoot(name: string): Promise<string[]> {
  const path = `/${name}`
  try {
    const found = await lstat(path)
    return found.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind', path, path]
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** Node and its own files; other files there, such as a home directory, stay outside. */
function mountNode(node: string, modules: string): string[] {
  const link = (name: string, target: string) => [
    '--symlink',
    `../lib/node_modules/${target}`,
    `${nodeAt}/bin/${name}`,
  ]
  return [
    ...['--ro-bind', node, `${nodeAt}/bin/node`],
    ...['--ro-bind-try', modules, `${nodeAt}/lib/node_modules`],
    ...link('npm', 'npm/bin/npm-cli.js'),
    ...link('npx', 'npm/bin/npx-cli.js'),
    ...link('corepack', 'corepack/dist/corepack.js'),
  ]
}
