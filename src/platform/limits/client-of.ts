/** Tells the clients of connections apart. */
import type { Socket } from 'node:net'
import { createIsTrusted } from '../../lib/net/trusted-proxies.ts'
import { addressBucket } from './address-bucket.ts'

/**
 * The bucket of a connection's client; undefined for a proxy, which has many, and where the connection has
 * closed.
 */
export type ClientOf = (socket: Pick<Socket, 'remoteAddress'>) => string | undefined

/** An IPv6 /64 is one client; `proxies` are as for `createIsTrusted`. */
export function createClientOf(proxies: readonly string[]): ClientOf {
  const isTrusted = createIsTrusted(proxies)
  return ({ remoteAddress }) =>
    remoteAddress === undefined || isTrusted(remoteAddress) ? undefined : addressBucket(remoteAddress)
}
