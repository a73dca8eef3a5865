/** Chooses in which form a file is sent: as it is, or compressed. */
import { acceptedForms, type FormName } from '../wire/accept-encoding.ts'
import type { RequestHead } from '../wire/request-head.ts'
import type { Asset } from './asset.ts'

type Head = Pick<RequestHead, 'acceptEncoding' | 'range' | 'ifRange' | 'ifMatch'>

/**
 * The form of `asset` that a request selects: the one it likes best of those that are there. Where none of them is
 * acceptable it is the file as it is, rather than a 406 (RFC 9110, section 12.5.3 leaves that open).
 *
 * Parts are taken of the file as it is, since that is what a client means that counts bytes and what stays the same when
 * a compressed form turns up, unless the client names the form that it holds a part of, or doesn't take the file as it
 * is. So the parts that one client or cache puts together are always of one form, which their entity tag tells.
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
