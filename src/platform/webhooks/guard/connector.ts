/** Connects to receivers at exactly the checked address, never to an internal one. */
import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { isPublicAddress } from '../../../lib/net/public-address.ts'
import type { Resolve } from '../../../lib/net/resolve.ts'
import { BlockedAddressError, createVettedLookup } from '../../../lib/net/vetted-lookup.ts'

/** How long one of several addresses may take before the next is tried. */
const attemptMs = 1_000

type Options = {
  resolve: Resolve
  allowPrivate: boolean
  timeoutMs: number
  /** Trusted certificates instead of the usual ones. */
  ca?: string | undefined
}

/** For each connection the name is resolved anew and every address checked. */
export function createConnector({ resolve, allowPrivate, timeoutMs, ca }: Options): buildConnector.connector {
  const isAllowed = (address: string) => allowPrivate || isPublicAddress(address)

  // `lookup` returns all addresses at once; the first that connects is used (RFC 8305).
  const connect = buildConnector({
    lookup: createVettedLookup(resolve, isAllowed),
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
