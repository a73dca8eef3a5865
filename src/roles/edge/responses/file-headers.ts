/** A file of a deployment with everything in its responses that doesn't depend on the request. */

import { contentType, isCompressible } from '../../../lib/names/media-type.ts'
import { type Coding, codings, type EncodedForm, type EncodedForms } from '../../../stores/blobs/encodings.ts'
import { cacheControl, type SiteResponse, type Visibility } from './response.ts'

/**
 * An entry of a manifest: `sha256` in lower-case hex, `size` in bytes, `object` the name in the blob store.
 * `isPending` until compression has finished.
 */
export type ManifestFile = {
  path: string
  sha256: string
  size: number
  object: string
  forms?: EncodedForms
  isPending?: boolean
}

/** A file in one variant: `size` and `object` are those of the variant. */
export type Asset = ManifestFile & {
  etag: string
  type: string
  /** Representation headers of this variant, alternating names and values. */
  entity: string[]
  /** Vary, from the first variant on. */
  vary: string[]
  /** Headers of every response about this file. */
  shared: Record<Visibility, string[]>
  /** The whole file with status 200. */
  whole: Record<Visibility, SiteResponse>
  coding?: Coding
  /** The compressed variants of a file that is also available uncompressed. */
  encoded?: Partial<Record<Coding, Asset>>
}

const year = 'public, max-age=31536000, immutable'

/** Until compression has finished, shared caches revalidate soon. */
const yearPending = 'public, max-age=31536000, s-maxage=60, immutable'

/** The traits of a file by its name and its site: with `isLasting`, browsers keep it for a year. */
type Traits = {
  isLasting: boolean
  /** The coding that it comes in, in which alone it is served. */
  coding?: Coding | undefined
}

/** Prepares a file for serving, in all variants. */
export function createAsset(file: ManifestFile, { isLasting, coding: ownCoding }: Traits): Asset {
  const asset = createForm(file, { isLasting, coding: ownCoding })
  const { forms } = file
  if (ownCoding !== undefined || forms === undefined || asset.vary.length === 0) return asset
  const encoded: NonNullable<Asset['encoded']> = {}
  for (const coding of codings) {
    const form = forms[coding]
    if (form) encoded[coding] = createForm(file, { isLasting, coding }, form)
  }
  return { ...asset, encoded }
}

/** Entity tags differ by variant: strong ones identify the exact bytes (RFC 9110, section 8.8.3). */
function createForm(file: ManifestFile, { isLasting, coding }: Traits, form?: EncodedForm): Asset {
  const { path, sha256, isPending } = file
  const { object, size } = form ?? file
  const etag = form ? `"${sha256}-${coding}"` : `"${sha256}"`
  const type = contentType(path)
  const isOnlyForm = coding !== undefined && !form
  const vary = isCompressible(path) && !isOnlyForm ? ['Vary', 'Accept-Encoding'] : []
  const entity = [...entityHeaders(type), ...(coding ? ['Content-Encoding', coding] : [])]
  const body = size === 0 ? [] : [{ start: 0, end: size - 1 }]
  const sharedHeaders = (cache: string) => ['Cache-Control', cache, 'ETag', etag, ...vary]
  const keep = isPending && vary.length > 0 ? yearPending : year
  const shared = {
    public: sharedHeaders(isLasting ? keep : cacheControl.public),
    private: sharedHeaders(cacheControl.private),
  }
  const whole = (visibility: Visibility) => ({
    status: 200,
    headers: [...entity, 'Content-Length', String(size), ...shared[visibility]],
    body,
  })
  return {
    path,
    sha256,
    size,
    object,
    etag,
    type,
    entity,
    vary,
    shared,
    whole: { public: whole('public'), private: whole('private') },
    ...(coding && { coding }),
  }
}

/** Representation headers for this media type. */
export function entityHeaders(type: string): string[] {
  return ['Content-Type', type, 'X-Content-Type-Options', 'nosniff', 'Accept-Ranges', 'bytes']
}
