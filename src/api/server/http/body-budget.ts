/** Limits the bytes of request bodies that a node holds, in all and per team. */
import { AppError } from '../../../lib/errors.ts'

/** A reservation for one body, until its request is answered. */
export type Room = {
  /** Reserves room for a body of `bytes` in all. @throws AppError as `reserve` rejects, without waiting. */
  growTo(bytes: number): void
  release(): void
}

export type BodyBudget = {
  /**
   * Reserves room for a body of `bytes` from `teamId`, or from an anonymous caller; waits its turn among the
   * teams if there is none. Rejects with AppError `too_many_waiting` when the team, and `store_unavailable`
   * when the node has no room in time.
   */
  reserve(teamId: string | undefined, bytes: number): Room | Promise<Room>
}

type Options = {
  /** For all bodies together. */
  totalBytes: number
  /** The largest body, for which there is always room. */
  maxBodyBytes: number
  /** How long a body waits for room. */
  waitMs: number
}

/** An eighth is reserved for small bodies, so that they don't wait for large ones. */
const smallBytes = 64 * 1024
const moreForSmall = 9 / 8

/** Shared by anonymous callers, whose bodies are small. */
const anonymousBytes = 1024 * 1024

/** A body without a length reserves in steps of this size. */
export const stepBytes = 64 * 1024

const retryAfterMs = 1_000

/** The maximum bodies of one team that wait at a time. */
const maxWaiting = 256

type Waiter = { bytes: number; admit(): void }

type Owner = { share: number; used: number; waiting: Waiter[] }

/** One team may use a quarter. */
export function createBodyBudget({ totalBytes, maxBodyBytes, waitMs }: Options): BodyBudget {
  const total = Math.max(totalBytes, maxBodyBytes)
  const share = Math.max(total / 4, maxBodyBytes)
  const owners = new Map<string | undefined, Owner>()
  /** The teams in turn, the next one first. */
  const turns = new Set<Owner>()
  let used = 0

  function ownerOf(teamId: string | undefined): Owner {
    const known = owners.get(teamId)
    if (known) return known
    const owner = { share: teamId === undefined ? anonymousBytes : share, used: 0, waiting: [] }
    owners.set(teamId, owner)
    return owner
  }

  /** Reserves `more` bytes for a body that then has `size`. */
  const fitsShare = (owner: Owner, more: number, size = more) =>
    owner.used + more <= limitFor(owner.share, size)
  const fitsNode = (more: number, size = more) => used + more <= limitFor(total, size)

  const refusal = (owner: Owner, more: number, size = more) =>
    fitsShare(owner, more, size) ? nodeIsFull() : teamIsFull()

  function take(owner: Owner, bytes: number): void {
    owner.used += bytes
    used += bytes
  }

  function roomOf(teamId: string | undefined, owner: Owner, first: number): Room {
    let held = first
    take(owner, first)
    return {
      growTo(bytes) {
        if (bytes <= held) return
        const more = Math.ceil((bytes - held) / stepBytes) * stepBytes
        const size = held + more
        if (!fitsShare(owner, more, size) || !fitsNode(more, size)) throw refusal(owner, more, size)
        take(owner, more)
        held += more
      },
      release() {
        take(owner, -held)
        held = 0
        forget(teamId, owner)
        letIn()
      },
    }
  }

  function forget(teamId: string | undefined, owner: Owner): void {
    if (owner.used === 0 && owner.waiting.length === 0) owners.delete(teamId)
  }

  /** Admits waiting bodies, the teams in turn. */
  function letIn(): void {
    for (const owner of turns) {
      const [next] = owner.waiting
      if (!next) turns.delete(owner)
      else if (fitsShare(owner, next.bytes)) {
        // Otherwise large bodies would starve while small ones keep coming.
        if (!fitsNode(next.bytes)) return
        owner.waiting.shift()
        turns.delete(owner)
        // Moved behind the others.
        if (owner.waiting.length > 0) turns.add(owner)
        next.admit()
      }
    }
  }

  function wait(teamId: string | undefined, owner: Owner, bytes: number): Promise<Room> {
    return new Promise((resolve, reject) => {
      const waiter = {
        bytes,
        admit() {
          clearTimeout(timer)
          resolve(roomOf(teamId, owner, bytes))
        },
      }
      const timer = setTimeout(() => {
        owner.waiting.splice(owner.waiting.indexOf(waiter), 1)
        reject(refusal(owner, bytes))
        forget(teamId, owner)
        letIn()
      }, waitMs)
      owner.waiting.push(waiter)
      turns.add(owner)
      letIn()
    })
  }

  return {
    reserve(teamId, bytes) {
      const owner = ownerOf(teamId)
      const wanted = bytes > 0 ? bytes : stepBytes
      const isNext = wanted <= smallBytes || turns.size === 0
      if (isNext && fitsShare(owner, wanted) && fitsNode(wanted)) return roomOf(teamId, owner, wanted)
      if (owner.waiting.length < maxWaiting) return wait(teamId, owner, wanted)
      return Promise.reject(refusal(owner, wanted))
    },
  }
}

function limitFor(bytes: number, size: number): number {
  return size <= smallBytes ? bytes * moreForSmall : bytes
}

function teamIsFull(): AppError {
  const message =
    "Your team's requests hold as much of the server's room as one team may. " +
    'Try again when some are answered.'
  return new AppError('too_many_waiting', message, { retryAfterMs })
}

function nodeIsFull(): AppError {
  const message = 'The server is receiving as much as it can hold at a time. Try again in a moment.'
  return new AppError('store_unavailable', message, { retryAfterMs })
}
