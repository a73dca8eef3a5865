/** Connects to receivers at the very address that was checked, and never to one inside. */
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isPublicAddress } from '../../net/public-address.ts'
import type { Resolve } from './resolve.ts'

/** A connection that was refused before it was tried. */
export class BlockedAddressError extends Error {}

/** A name that has no address now. */
export class UnresolvedError extends Error {}

/** How long one of several addresses may take before the next is tried. */
const attemptMs = 1_000

type Options = {
  resolve: Resolve
  allowPrivate: boolean
  timeoutMs: number
  /** Certificates to trust instead of the usual ones. */
  ca?: string | undefined
}

/**
 * For each connection the name is resolved anew and every address checked; the socket gets only what was checked, so there is
 * no second look-up that could tell something else. One address inside among public ones refuses all of them: no
 * receiver needs that, and who tries it hopes for a look-up that picks the other one.
 */
export function createConnector({ resolve, allowPrivate, timeoutMs, ca }: Options): buildConnector.connector {
  const isAllowed = (address: string) => allowPrivate || isPublicAddress(address)

  const lookup: LookupFunction = (name, _options, callback) => {
    resolve(name).then(
      (addresses) => {
        if (addresses.length > 0 && addresses.every(isAllowed)) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
          )
        } else callback(new BlockedAddressError(name), [])
      },
      (cause: unknown) => callback(new UnresolvedError(name, { cause }), []),
    )
  }

  // `lookup` is asked for all addresses at once; the first that connects is taken (RFC 8305).
  const connect = buildConnector({
    lookup,
    timeout: timeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    allowH2: false,
    ...(ca !== undefined && { ca }),
  })
  return (options, callback) => {
    // An address is connected to without a look-up.
    if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) {
      callback(new BlockedAddressError(options.hostname), null)
    } else connect(options, callback)
  }
}
