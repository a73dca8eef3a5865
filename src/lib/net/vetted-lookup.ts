/** Looks names up for sockets, and gives them only checked addresses. */
import { isIPv6, type LookupFunction } from 'node:net'
import type { Resolve } from './resolve.ts'

/** A connection that was refused before it was tried. */
export class BlockedAddressError extends Error {}

/** A name without an address. */
export class UnresolvedError extends Error {}

/**
 * A `lookup` for `net.connect` with `all`. The socket connects to the addresses that were checked: no second
 * lookup can differ (DNS rebinding). One refused address among others refuses all of them: no public server
 * needs that. It fails with BlockedAddressError or UnresolvedError.
 */
export function createVettedLookup(
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (name, _options, callback) => {
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
}
