/** Connects to receivers at exactly the checked address, never to an internal one. */
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isPublicAddress } from '../../net/public-address.ts'
import type { Resolve } from './resolve.ts'

/** A connection that was refused before it was tried. */
export class BlockedAddressError extends Error {}

/** A name without an address. */
export class UnresolvedError extends Error {}

/** How long one of several addresses may take before the next is tried. */
const attemptMs = 1_000

type Options = {
  resolve: Resolve
  allowPrivate: boolean
  timeoutMs: number
  /** Trusted certificates instead of the usual ones. */
  ca?: string | undefined
}

/**
 * For each connection the name is resolved anew and every address checked; the socket gets only checked addresses, so
 * that no second lookup can differ (DNS rebinding). One internal address among public ones refuses all of them: no
 * receiver needs that.
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

  // `lookup` returns all addresses at once; the first that connects is used (RFC 8305).
  const connect = buildConnector({
    lookup,
    timeout: timeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    allowH2: false,
    ...(ca !== undefined && { ca }),
  })
  return (options, callback) => {
    // An address literal is connected to without a lookup.
    if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) {
      callback(new BlockedAddressError(options.hostname), null)
    } else connect(options, callback)
  }
}
