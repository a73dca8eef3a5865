/** A request of a visitor that is passed on. */
import type { Duplex } from 'node:stream'
import type { Visit } from '../admit-request.ts'
import type { PassedOn } from '../resolve-request.ts'
import type { ReadRequest } from '../wire/read-request.ts'

/**
 * It came from `address`; `upgrade` is its connection, on which it requests a WebSocket, with what has been
 * read behind the request.
 */
export type Passed<To extends PassedOn = PassedOn> = {
  visit: Visit
  request: ReadRequest
  address: string
  to: To
  upgrade?: { socket: Duplex; head: Buffer }
}
