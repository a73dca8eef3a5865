/** A file of a deployment together with everything about its answers that doesn't depend on the request. */

import { isHashedName } from '../hashed-name.ts'
import { contentType } from '../media-type.ts'
import { type Answer, cacheControl, type Visibility } from './answer.ts'

/**
 * A line of a manifest: `sha256` in lower-case hex, `size` in bytes, `object` the name of the bytes in the
 * blob store.
 */
export type ManifestFile = { path: string; sha256: string; size: number; object: string }

export type Asset = ManifestFile & {
  etag: string
  type: string
  /** What every answer about this file carries, as names and values by turns. */
  shared: Record<Visibility, string[]>
  /** The whole file with status 200. */
  whole: Record<Visibility, Answer>
}

const year = 'public, max-age=31536000, immutable'

/** Prepares a file for being served. */
export function createAsset(file: ManifestFile): Asset {
  const etag = `"${file.sha256}"`
  const type = contentType(file.path)
  const body = file.size === 0 ? [] : [{ start: 0, end: file.size - 1 }]
  const sharedHeaders = (cache: string) => ['Cache-Control', cache, 'ETag', etag]
  const shared = {
    public: sharedHeaders(isHashedName(file.path) ? year : cacheControl.public),
    private: sharedHeaders(cacheControl.private),
  }
  const whole = (visibility: Visibility) => ({
    status: 200,
    headers: [...entityHeaders(type), 'Content-Length', String(file.size), ...shared[visibility]],
    body,
  })
  return { ...file, etag, type, shared, whole: { public: whole('public'), private: whole('private') } }
}

/** What goes with bytes of a file of this type. */
export function entityHeaders(type: string): string[] {
  return ['Content-Type', type, 'X-Content-Type-Options', 'nosniff', 'Accept-Ranges', 'bytes']
}
