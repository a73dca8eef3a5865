/** The files and rules of one deployment, as the edge serves them. */
import type { Rules } from '../deployments/rules/rules.ts'
import { type Asset, createAsset, type ManifestFile } from './responses/asset.ts'
import { type AddHeaders, createHeaders } from './rules/headers.ts'
import { createRedirects, type Redirects } from './rules/redirects.ts'

export type Manifest = {
  has(path: string): boolean
  get(path: string): Asset | undefined
  /** The site's own rules, where it has some. */
  redirects?: Redirects
  addHeaders?: AddHeaders
  /** What this takes in memory, in bytes. */
  size: number
  /** Whether compressed forms are still to come. */
  isPending: boolean
  /**
   * Of a manifest of which not all is in memory: what decides a request for `path`, as a manifest of its own. `lookUp` runs
   * the look-up that this takes, if any, which finds undefined where there is nothing at `path`.
   */
  part?(path: string, spa: boolean, lookUp: LookUpLines): Promise<Manifest>
}

export type LookUpLines = (find: () => Promise<true | undefined>) => Promise<unknown>

/** Files that are rules, and not served. */
export const ruleFiles: ReadonlySet<string> = new Set(['_redirects', '_headers'])

/** What a file takes beside its path, one of its forms, and a character of the rules, in bytes. */
const fileBytes = 400
const formBytes = 150
const ruleCharacterBytes = 3

/**
 * A manifest over its files and rules; what goes into a file's answers is made when the file is first asked for.
 */
export function createManifest(files: Iterable<ManifestFile>, rules: Rules | null = null): Manifest {
  const byPath = new Map<string, ManifestFile>()
  let size = rules ? JSON.stringify(rules).length * ruleCharacterBytes : 0
  let isPending = false
  for (const file of files) {
    if (ruleFiles.has(file.path)) continue
    byPath.set(file.path, file)
    size += fileBytes + file.path.length
    if (file.forms) size += Object.keys(file.forms).length * formBytes
    if (file.isPending) isPending = true
  }
  const assets = new Map<string, Asset>()
  return {
    has: (path) => byPath.has(path),
    get(path) {
      const known = assets.get(path)
      if (known) return known
      const file = byPath.get(path)
      if (!file) return undefined
      const asset = createAsset(file)
      assets.set(path, asset)
      return asset
    },
    ...(rules && rules.redirects.length > 0 && { redirects: createRedirects(rules.redirects) }),
    ...(rules && rules.headers.length > 0 && { addHeaders: createHeaders(rules.headers) }),
    size,
    isPending,
  }
}
