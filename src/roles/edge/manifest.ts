/** The files and rules of one deployment, for the edge. */
import { noPlaces } from '../../platform/sites/hashed-names/hash-places.ts'
import type { Rules } from '../../platform/sites/rules/rules.ts'
import { createIsAssetPlace, type IsAssetPlace } from './asset-places.ts'
import { type HasHash, hasHashByName } from './has-hash.ts'
import type { Serving } from './resolve-request.ts'
import { type Asset, createAsset, type ManifestFile } from './responses/file-headers.ts'
import { createFindCoding, type FindCoding } from './rules/codings.ts'
import { type AddHeaders, createHeaders } from './rules/headers.ts'
import { type AnswerPreflight, createAnswerPreflight } from './rules/preflight.ts'
import { createRedirects, type Redirects } from './rules/redirects.ts'
import type { ReadRequest } from './wire/read-request.ts'

export type Manifest = {
  has(path: string): boolean
  get(path: string): Asset | undefined
  /** The site's own rules, if any. */
  redirects?: Redirects
  addHeaders?: AddHeaders
  isAssetPlace: IsAssetPlace
  answerPreflight?: AnswerPreflight
  /** Which of its files come compressed. */
  codingOf: FindCoding
  /** Its size in memory, in bytes. */
  size: number
  /** Whether compression is pending. */
  isPending: boolean
  /**
   * For a manifest that isn't completely in memory: the part that decides a request, as a manifest.
   * `lookUp` performs the lookup, if one is needed; it resolves to undefined if there is nothing there.
   */
  part?(
    request: Pick<ReadRequest, 'method' | 'target'>,
    site: Serving,
    lookUp: LookUpLines,
  ): Promise<Manifest>
}

export type LookUpLines = (find: () => Promise<true | undefined>) => Promise<unknown>

/** Rule files, which are not served. */
export const ruleFiles: ReadonlySet<string> = new Set(['_redirects', '_headers'])

/** Bytes of a file besides its path, of a variant, and of a character of the rules. */
const fileBytes = 400
const formBytes = 150
const ruleCharacterBytes = 3

/** The names of a deployment: which have a hash of their content, and where what pages load is. */
export type Names = { hasHash: HasHash; isAssetPlace: IsAssetPlace }

const namesAlone: Names = { hasHash: hasHashByName, isAssetPlace: createIsAssetPlace(noPlaces) }

/** A manifest of files and rules; the headers of a file are prepared when it is first requested. */
export function createManifest(
  files: Iterable<ManifestFile>,
  rules: Rules | null = null,
  { hasHash, isAssetPlace }: Names = namesAlone,
): Manifest {
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
  const codingOf = createFindCoding(rules?.headers ?? [])
  const addHeaders = rules && rules.headers.length > 0 ? createHeaders(rules.headers) : undefined
  return {
    has: (path) => byPath.has(path),
    get(path) {
      const known = assets.get(path)
      if (known) return known
      const file = byPath.get(path)
      if (!file) return undefined
      const asset = createAsset(file, { isLasting: hasHash(path), coding: codingOf(path) })
      assets.set(path, asset)
      return asset
    },
    ...(rules && rules.redirects.length > 0 && { redirects: createRedirects(rules.redirects) }),
    ...(addHeaders && { addHeaders, answerPreflight: createAnswerPreflight(addHeaders) }),
    isAssetPlace,
    codingOf,
    size,
    isPending,
  }
}
