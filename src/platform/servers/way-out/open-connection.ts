/** Connects servers with the places that they mean. */
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Guard, Team } from './guard.ts'
import { type Destination, Refusal, type RefusalReason } from './refusal.ts'
import type { Share } from './shares.ts'

const connectMs = 10_000

/** A pool keeps connections for hours; that the other side is gone has to be noticed some time. */
const probeAfterMs = 60_000

type Deps = { guard: Pick<Guard, 'addressesOf'>; share: Pick<Share, 'take' | 'begin'> }

/**
 * A connection to `destination` for a server of `team`, which counts as one of its share until it is closed;
 * `signal` ends it. @throws Refusal; AbortError
 */
export async function openConnection(
  { guard, share }: Deps,
  destination: Destination,
  team: Team,
  signal: AbortSignal,
): Promise<Socket> {
  const giveBack = share.take()
  if (typeof giveBack === 'string') throw new Refusal(destination, giveBack)
  try {
    const waitMs = share.begin()
    if (waitMs > 0) await wait(waitMs, undefined, { signal })
    const addresses = await guard.addressesOf(destination, team)
    const socket = await connected(addresses, destination, signal)
    socket.once('close', giveBack)
    return socket
  } catch (error) {
    giveBack()
    throw error
  }
}

function connected(addresses: string[], { name, port }: Destination, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const refuse = (reason: RefusalReason) => reject(new Refusal({ name, port }, reason))
    const socket = connect({
      host: name,
      port,
      lookup: given(addresses),
      autoSelectFamily: true,
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: probeAfterMs,
    })
    const end = () => socket.destroy()
    signal.addEventListener('abort', end)
    const late = setTimeout(() => {
      refuse('slow')
      end()
    }, connectMs)
    socket.on('error', () => {})
    socket.once('connect', () => {
      clearTimeout(late)
      resolve(socket)
    })
    socket.once('close', () => {
      clearTimeout(late)
      signal.removeEventListener('abort', end)
      refuse('unreachable')
    })
    if (signal.aborted) end()
  })
}

/** The addresses that were checked, and no others. */
function given(addresses: string[]): LookupFunction {
  return (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
    )
}
