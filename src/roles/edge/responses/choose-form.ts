/** Chooses the variant of a file: uncompressed or compressed. */
import { acceptedForms, type FormName } from '../../../stores/blobs/accept-encoding.ts'
import type { RequestHead } from '../wire/request-head.ts'
import type { Asset } from './file-headers.ts'

type Head = Pick<RequestHead, 'acceptEncoding' | 'range' | 'ifRange' | 'ifMatch'>

/**
 * The variant of `asset` that a request prefers among those available. If none is acceptable, the
 * uncompressed file is sent rather than a 406 (RFC 9110, section 12.5.3 leaves that open).
 *
 * Ranges are of the uncompressed file, which is what clients count and which stays the same when a compressed
 * variant appears, unless If-Range names another variant, or the client doesn't accept the uncompressed one.
 * So the parts that a client or cache combines are always of one variant, identified by their entity tag.
 */
export function chooseForm(asset: Asset, method: string, head: Head): Asset {
  const { encoded } = asset
  if (encoded === undefined || head.acceptEncoding === undefined) return asset
  const accepted = acceptedForms(head.acceptEncoding)
  const isPartial = head.range !== undefined && method === 'GET'
  return (isPartial && choosePartial(asset, accepted, head)) || firstThere(asset, accepted)
}

function choosePartial(asset: Asset, accepted: readonly FormName[], head: Head): Asset | undefined {
  const held = head.ifRange ?? head.ifMatch ?? ''
  const named = accepted.map((name) => formOf(asset, name)).find((form) => form && held.includes(form.etag))
  return named ?? (accepted.includes('identity') ? asset : undefined)
}

function firstThere(asset: Asset, accepted: readonly FormName[]): Asset {
  for (const name of accepted) {
    const form = formOf(asset, name)
    if (form) return form
  }
  return asset
}

function formOf(asset: Asset, name: FormName): Asset | undefined {
  return name === 'identity' ? asset : asset.encoded?.[name]
}
