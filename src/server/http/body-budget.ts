/** How many bytes of bodies a node holds at a time, and how many of them one team may make it hold. */
import { AppError } from '../../errors.ts'

/** Room for one body, until the request that it came with is answered. */
export type Room = {
  /** Makes room for a body of `bytes` in all. @throws AppError as `reserve` rejects, without a wait. */
  growTo(bytes: number): void
  release(): void
}

export type BodyBudget = {
  /**
   * Room for a body of `bytes` from `teamId`, or from somebody without a credential; at once where there is any, else in
   * turn with other teams. Rejects with AppError `too_many_waiting` when the team, and `store_unavailable` when the node
   * has no room in time.
   */
  reserve(teamId: string | undefined, bytes: number): Room | Promise<Room>
}

type Options = {
  /** For all bodies together. */
  totalBytes: number
  /** The largest body that comes, for which there is always room. */
  maxBodyBytes: number
  /** How long a body waits for room. */
  waitMs: number
}

/** Smaller ones don't wait for larger ones: an eighth more is kept for them. */
const smallBytes = 64 * 1024
const moreForSmall = 9 / 8

/** Of all who have no credential, whose bodies are small. */
const anonymousBytes = 1024 * 1024

/** A body without a length grows by so much. */
const stepBytes = 64 * 1024

const retryAfterMs = 1_000

/** As many bodies of one team wait at a time. */
const maxWaiting = 256

type Waiter = { bytes: number; admit(): void }

type Owner = { share: number; used: number; waiting: Waiter[] }

/** A quarter of it is what one team may use. */
export function createBodyBudget({ totalBytes, maxBodyBytes, waitMs }: Options): BodyBudget {
  const total = Math.max(totalBytes, maxBodyBytes)
  const share = Math.max(total / 4, maxBodyBytes)
  const owners = new Map<string | undefined, Owner>()
  /** Whose turn it is, the next one first. */
  const turns = new Set<Owner>()
  let used = 0

  function ownerOf(teamId: string | undefined): Owner {
    const known = owners.get(teamId)
    if (known) return known
    const owner = { share: teamId === undefined ? anonymousBytes : share, used: 0, waiting: [] }
    owners.set(teamId, owner)
    return owner
  }

  /** `more` bytes for a body that then has `size`. */
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

  /** Lets in who waits, the teams by turns. */
  function letIn(): void {
    for (const owner of turns) {
      const [next] = owner.waiting
      if (!next) turns.delete(owner)
      else if (fitsShare(owner, next.bytes)) {
        // Else the large ones would wait for as long as small ones come.
        if (!fitsNode(next.bytes)) return
        owner.waiting.shift()
        turns.delete(owner)
        // Visited again, after the others.
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
    'Your team has sent as much as is taken from it at a time. Send it again when some of it is answered.'
  return new AppError('too_many_waiting', message, { retryAfterMs })
}

function nodeIsFull(): AppError {
  const message = 'As much as this server takes at a time is on its way to it. Send it again in a moment.'
  return new AppError('store_unavailable', message, { retryAfterMs })
}
