/** The files and rules of one deployment, as the edge serves them. */
import type { Rules } from '../deployments/rules/rules.ts'
import { type Asset, createAsset, type ManifestFile } from './answers/asset.ts'
import { type AddHeaders, createHeaders } from './rules/headers.ts'
import { createRedirects, type Redirects } from './rules/redirects.ts'

export type Manifest = {
  has(path: string): boolean
  get(path: string): Asset | undefined
  /** The site's own rules, where it has some. */
  redirects?: Redirects
  addHeaders?: AddHeaders
  /** What this takes in memory, in files. */
  size: number
  /** Whether compressed forms are still to come. */
  isPending: boolean
}

/** Files that are rules, and not served. */
const ruleFiles = new Set(['_redirects', '_headers'])

/** How much of the rules takes as much memory as a file, in characters of JSON. */
const ruleCharactersPerFile = 100

/**
 * A manifest over its files and rules; what goes into a file's answers is made when the file is first asked for.
 */
export function createManifest(files: Iterable<ManifestFile>, rules: Rules | null = null): Manifest {
  const byPath = new Map<string, ManifestFile>()
  let formCount = 0
  let isPending = false
  for (const file of files) {
    if (ruleFiles.has(file.path)) continue
    byPath.set(file.path, file)
    if (file.forms) formCount += Object.keys(file.forms).length
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
    size: byPath.size + formCount + sizeOf(rules),
    isPending,
  }
}

function sizeOf(rules: Rules | null): number {
  return rules ? Math.ceil(JSON.stringify(rules).length / ruleCharactersPerFile) : 0
}
