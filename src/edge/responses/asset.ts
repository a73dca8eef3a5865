/** A file of a deployment together with everything about its answers that doesn't depend on the request. */

import { type Coding, codings, type EncodedForm, type EncodedForms } from '../../blobs/encodings.ts'
import { contentType, isCompressible } from '../../names/media-type.ts'
import { isHashedName } from '../hashed-name.ts'
import { cacheControl, type SiteResponse, type Visibility } from './response.ts'

/**
 * A line of a manifest: `sha256` in lower-case hex, `size` in bytes, `object` the name of the bytes in the
 * blob store. `isPending` while compressed forms are still to come.
 */
export type ManifestFile = {
  path: string
  sha256: string
  size: number
  object: string
  forms?: EncodedForms
  isPending?: boolean
}

/** A file in one of its forms: `size` and `object` are those of this form. */
export type Asset = ManifestFile & {
  etag: string
  type: string
  /** What describes the bytes of this form, as names and values by turns. */
  entity: string[]
  /** Tells caches, as soon as there is such a file, that it may have several forms. */
  vary: string[]
  /** What every answer about this file carries. */
  shared: Record<Visibility, string[]>
  /** The whole file with status 200. */
  whole: Record<Visibility, SiteResponse>
  coding?: Coding
  /** The compressed forms of a file that is here as it is. */
  encoded?: Partial<Record<Coding, Asset>>
}

const year = 'public, max-age=31536000, immutable'

/** As long as a compressed form may turn up, a cache that people share comes back for it. */
const yearPending = 'public, max-age=31536000, s-maxage=60, immutable'

/** Prepares a file for being served, in all its forms. */
export function createAsset(file: ManifestFile): Asset {
  const asset = createForm(file)
  const { forms } = file
  if (forms === undefined || asset.vary.length === 0) return asset
  const encoded: NonNullable<Asset['encoded']> = {}
  for (const coding of codings) {
    const form = forms[coding]
    if (form) encoded[coding] = createForm(file, { ...form, coding })
  }
  return { ...asset, encoded }
}

/** Entity tags differ by form: they are strong, and so are about the very bytes (RFC 9110, section 8.8.3). */
function createForm(file: ManifestFile, form?: EncodedForm & { coding: Coding }): Asset {
  const { path, sha256, isPending } = file
  const { object, size } = form ?? file
  const etag = form ? `"${sha256}-${form.coding}"` : `"${sha256}"`
  const type = contentType(path)
  const vary = isCompressible(path) ? ['Vary', 'Accept-Encoding'] : []
  const entity = [...entityHeaders(type), ...(form ? ['Content-Encoding', form.coding] : [])]
  const body = size === 0 ? [] : [{ start: 0, end: size - 1 }]
  const sharedHeaders = (cache: string) => ['Cache-Control', cache, 'ETag', etag, ...vary]
  const keep = isPending && vary.length > 0 ? yearPending : year
  const shared = {
    public: sharedHeaders(isHashedName(path) ? keep : cacheControl.public),
    private: sharedHeaders(cacheControl.private),
  }
  const whole = (visibility: Visibility) => ({
    status: 200,
    headers: [...entity, 'Content-Length', String(size), ...shared[visibility]],
    body,
  })
  return {
    ...{ path, sha256, size, object, etag, type, entity, vary, shared },
    whole: { public: whole('public'), private: whole('private') },
    ...(form && { coding: form.coding }),
  }
}

/** What goes with bytes of a file of this type. */
export function entityHeaders(type: string): string[] {
  return ['Content-Type', type, 'X-Content-Type-Options', 'nosniff', 'Accept-Ranges', 'bytes']
}
