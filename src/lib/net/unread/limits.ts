/** Bounds what all clients together, and those of one address, leave unread in a process's memory. */
import { totalmem } from 'node:os'
import type { Logger } from '../../log/logger.ts'
import type { Peer } from './peer.ts'

export type UnreadLimits = {
  /** Counts what `peer` leaves unread, until the returned function is called. */
  watch(peer: Peer): () => void
  /** Bytes that wait for clients now. */
  unreadBytes(): number
  /**
   * So many may wait for a session of HTTP/2 before no more is read for it: fewer the more wait for others.
   */
  sessionBytes(): number
  /** So many requests may a new session of HTTP/2 have open: fewer the more wait for others. */
  sessionStreams(): number
  stop(): void
}

type Options = {
  /** For all clients together. */
  totalBytes: number
  /** For those of one address. */
  addressBytes: number
  /** Where the process takes more memory, a part of `totalBytes` may wait; by default as much as it likes. */
  tightBytes?: number
  log: Logger
  /** How long a client may read nothing while something waits for it. */
  stalledMs?: number
  /** How often all are looked at. */
  everyMs?: number
}

/**
 * Unread bytes exist up to three times: in a response, and, where they were being sent, encrypted and not.
 */
const memoryShare = 1 / 8

/** Enough for a hundred responses that pause. */
const maxSessionBytes = 8 * 1024 * 1024

/** Responses go on, if slowly. */
const minSessionBytes = 128 * 1024

/** The part of what is left that a session may have. */
const sessionShare = 1 / 8

/** The share of its memory at which a process is tight: where it takes more, it would soon be ended. */
const tightAt = 0.9

/** The part of what may wait otherwise. Memory is given back late, so that this may last. */
const tightShare = 1 / 4

/** As many as browsers need, and as many as they make use of. */
const minSessionStreams = 10
export const maxSessionStreams = 100

/** The part of a limit that may stay once it was exceeded, so that there is room for others. */
const keptShare = 3 / 4

/** Enough for hundreds of slow downloads. */
const maxAddressBytes = 64 * 1024 * 1024

/** The bounds of a process that is `share` of a node, by the memory of the machine or the cgroup. */
export function unreadBytesOf(
  share: number,
): Required<Pick<Options, 'totalBytes' | 'addressBytes' | 'tightBytes'>> {
  const memoryBytes = share * Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const totalBytes = Math.floor(memoryBytes * memoryShare)
  const addressBytes = Math.min(maxAddressBytes, Math.floor(totalBytes / 4))
  return { totalBytes, addressBytes, tightBytes: memoryBytes * tightAt }
}

/** At most one line a minute. */
const logEveryMs = 60_000

/**
 * Ends connections of an address beyond `addressBytes`, and of all beyond `totalBytes`: those first for which
 * most is waiting. They are found by looking at all of them from time to time, so that requests aren't
 * counted one by one; in between, each connection has bounds of its own.
 */
export function createUnreadLimits(options: Options): UnreadLimits {
  const { totalBytes, addressBytes, log, stalledMs = 60_000, everyMs = 250 } = options
  const { tightBytes = Number.POSITIVE_INFINITY } = options
  const peers = new Set<Peer>()
  const logEnded = createEndedLog(log)
  let leftBytes = totalBytes

  function look(): void {
    const nowMs = performance.now()
    const holding: Holding[] = []
    for (const peer of peers) {
      peer.endIfStalled(nowMs, stalledMs)
      const bytes = peer.unreadBytes()
      if (bytes > 0) holding.push({ peer, bytes })
    }
    const left = [...byAddress(holding).values()].flatMap((own) => endLargest(own, addressBytes))
    const isTight = process.memoryUsage.rss() > tightBytes
    const mostBytes = isTight ? totalBytes * tightShare : totalBytes
    const kept = endLargest([...left, ...holding.filter(({ peer }) => peer.address === undefined)], mostBytes)
    leftBytes = mostBytes - sum(kept)
  }

  /** Where `limit` is exceeded, ends the largest until there is room again; returns the others. */
  function endLargest(holding: Holding[], limit: number): Holding[] {
    let bytes = sum(holding)
    if (bytes <= limit) return holding
    const largestLast = holding.sort((one, other) => one.bytes - other.bytes)
    while (bytes > limit * keptShare) {
      const largest = largestLast.pop()
      if (!largest) break
      bytes -= largest.bytes
      peers.delete(largest.peer)
      largest.peer.end()
      logEnded(largest)
    }
    return largestLast
  }

  const timer = setInterval(look, everyMs).unref()
  return {
    watch(peer) {
      peers.add(peer)
      return () => peers.delete(peer)
    },
    sessionBytes: () => sessionBytesOf(leftBytes),
    sessionStreams: () => sessionStreamsOf(leftBytes / totalBytes),
    unreadBytes: () => [...peers].reduce((bytes, peer) => bytes + peer.unreadBytes(), 0),
    stop: () => clearInterval(timer),
  }
}

/** The bytes that may wait for a session while `leftBytes` more may wait in all. */
function sessionBytesOf(leftBytes: number): number {
  return Math.max(minSessionBytes, Math.min(maxSessionBytes, leftBytes * sessionShare))
}

/** How many requests a session may have open while the part `left` of what may wait is left. */
function sessionStreamsOf(left: number): number {
  return Math.max(minSessionStreams, Math.round(maxSessionStreams * left))
}

type Holding = { peer: Peer; bytes: number }

/** The peers by address. */
function byAddress(holding: Holding[]): Map<string, Holding[]> {
  const groups = new Map<string, Holding[]>()
  for (const each of holding) {
    const { address } = each.peer
    if (address === undefined) continue
    const group = groups.get(address)
    if (group) group.push(each)
    else groups.set(address, [each])
  }
  return groups
}

function sum(holding: Holding[]): number {
  return holding.reduce((bytes, each) => bytes + each.bytes, 0)
}

function createEndedLog(log: Logger): (ended: Holding) => void {
  let loggedMs = Number.NEGATIVE_INFINITY
  let connections = 0
  return ({ peer, bytes }) => {
    connections += 1
    if (performance.now() - loggedMs < logEveryMs) return
    log.warn(
      { address: peer.address, bytes, connections },
      'Ended connections whose clients leave too much of the responses unread.',
    )
    loggedMs = performance.now()
    connections = 0
  }
}
