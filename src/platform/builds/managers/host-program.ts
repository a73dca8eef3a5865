/** The package managers that the host of builds has. */
import { access, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ManagerName } from '../../../lib/frameworks/manager-table.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { parseJsonText } from '../../../lib/json-text.ts'
import type { Isolation } from '../../sandbox/launch.ts'
import { plainPath, systemPath } from '../../sandbox/toolchain.ts'

/** `major` is undefined where the program doesn't lie in its package. */
export type HostProgram = { major: number | undefined }

/** The directories in which builds that run with the program `node` find programs of the host. */
export function hostDirectories(isolation: Isolation, node: string): string[] {
  return (isolation === 'none' ? plainPath(node) : systemPath).split(':')
}

/**
 * The first program of this name; undefined where there is none, and for corepack's, which would fetch it in
 * a way that may not work here.
 */
export async function findHostProgram(
  name: ManagerName,
  directories: readonly string[],
): Promise<HostProgram | undefined> {
  for (const directory of directories) {
    const path = join(directory, name)
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (!isThere) continue
    const real = await realpath(path)
    return real.includes('/corepack/') ? undefined : { major: await majorOf(name, dirname(real)) }
  }
  return undefined
}

/** As deep programs lie in their packages: `pnpm/bin/pnpm.cjs`. */
const depth = 3

async function majorOf(name: ManagerName, directory: string): Promise<number | undefined> {
  let above = directory
  for (let level = 0; level < depth; level += 1) {
    const manifest = await readManifest(join(above, 'package.json'))
    const isOwn = manifest?.name === name || manifest?.name === '@yarnpkg/cli-dist'
    if (isOwn) return Number.parseInt(String(manifest?.version), 10) || undefined
    above = dirname(above)
  }
  return undefined
}

async function readManifest(path: string): Promise<Record<string, unknown> | undefined> {
  try {
    const manifest = parseJsonText(await readFile(path, 'utf8'))
    return isRecord(manifest) ? manifest : undefined
  } catch {
    // The program then lies in no package that says its version.
    return undefined
  }
}
