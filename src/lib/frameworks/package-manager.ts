/** The package manager of a project. */
import { isRecord } from '../is-record.ts'
import { type Found, hasFile, inFolder } from './found.ts'
import { type ManagerName, managerByFiles, managerNamed, managers } from './manager-table.ts'
import { parseManifest } from './manifest.ts'
import { findWorkspace, foldersAbove } from './workspace.ts'

export type PackageManager = {
  name: ManagerName
  /** A version or a range of them, where a manifest names it. */
  version: string | undefined
  /** The digest of its package, in hexadecimal: `sha512.1a2b...`. */
  digest: string | undefined
  install: string
  run: string
  exec: string
}

/**
 * The package manager of the package in `folder`: the one that the nearest manifest from there up to the root
 * names, or whose lock file lies there; else npm. It installs what the lock file says where that is the
 * package's own, or its workspace's.
 * @throws ManifestProblem for a manifest that can't be read.
 */
export async function managerOf(found: Found, folder: string): Promise<PackageManager> {
  const { name, version, digest } = await wantedFrom(found, folder)
  const { locks, install, frozen, run, exec } = managers[name]
  const workspace = await findWorkspace(found, folder)
  const roots = [folder, ...(workspace ? [workspace.root] : [])]
  const isLocked = roots.some((root) => locks.some((lock) => found.namesIn(root).has(lock)))
  return { name, version, digest, install: isLocked ? frozen : install, run, exec }
}

type Wanted = Pick<PackageManager, 'name' | 'version' | 'digest'>

async function wantedFrom(found: Found, folder: string): Promise<Wanted> {
  for (const each of [folder, ...foldersAbove(folder)]) {
    const named = await namedIn(found, each)
    if (named) return named
    const name = managerByFiles(found.namesIn(each))
    if (name) return { name, version: undefined, digest: undefined }
  }
  return { name: 'npm', version: undefined, digest: undefined }
}

async function namedIn(found: Found, folder: string): Promise<Wanted | undefined> {
  const path = inFolder(folder, 'package.json')
  if (!hasFile(found, path)) return undefined
  const { packageManager, devEngines } = parseManifest(path, await found.textOf(path))
  return byField(packageManager) ?? byEngines(devEngines)
}

/** `pnpm@10.27.0`, and the digest that corepack writes behind it (Node's documentation, "packageManager"). */
function byField(field: unknown): Wanted | undefined {
  const [, given, version, digest] =
    /^(\w+)(?:@(\d+(?:\.\d+){0,2}(?:-[\w.-]+)?)(?:\+(sha(?:1|224|256|384|512)\.[0-9a-f]+))?)?/.exec(
      String(field ?? ''),
    ) ?? []
  const name = managerNamed(given)
  return name && { name, version, digest }
}

/** The first one that npm's documentation of `devEngines` would take. */
function byEngines(engines: unknown): Wanted | undefined {
  const listed: unknown = isRecord(engines) ? engines.packageManager : undefined
  const [first]: unknown[] = Array.isArray(listed) ? listed : [listed]
  if (!isRecord(first)) return undefined
  const name = managerNamed(first.name)
  const range = String(first.version ?? '')
  return (
    name && { name, version: /^[\w.^~<>=| *-]{1,100}$/.test(range) ? range : undefined, digest: undefined }
  )
}
