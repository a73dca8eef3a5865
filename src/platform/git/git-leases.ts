/** The places for packs and processes of git on a node, and the memory that each process may use. */
import { createLeaseKeeper, type LeaseKeeper, type Leases, leasesOf } from '../limits/leases.ts'

/** Places for packs that arrive, and processes that read what arrived or fetch. */
export type GitPool = 'receiving' | 'reading'

/** One for each pool. */
export type GitKeepers = Record<GitPool, LeaseKeeper>

export type GitLeases = Record<GitPool, Leases>

/** How many processes read at a time, and the bytes of memory that each may use. */
export type GitProcesses = { count: number; bytes: number }

const mebibyte = 1024 * 1024

/** The memory of one process: enough for two versions of a large file, one of them packed as a change. */
const bytes = { least: 256 * mebibyte, most: 1024 * mebibyte }

/** One may wait for a forge. */
const fewest = 2

/**
 * At most `wanted` processes, which use a quarter of the memory together: fewer ones where each would have
 * too little.
 */
export function gitProcessesOf(wanted: number, memoryBytes: number): GitProcesses {
  const share = Math.floor(memoryBytes / 4)
  const count = Math.min(wanted, Math.max(fewest, Math.floor(share / bytes.least)))
  return { count, bytes: Math.min(bytes.most, Math.floor(share / count)) }
}

/** Leases for packs that arrive: of the node and of a team, how many of a team wait, and how long. */
const receiving = { most: 16, ofTeam: 4, waiting: 16, waitMs: 45_000 }

/** The most of a team that wait to read: more than its pushes may have at work. */
const maxReadersWaiting = 100

/** Those of a node; a team may have half of the processes. */
export function createGitKeepers({ count }: GitProcesses): GitKeepers {
  const ofTeam = Math.max(1, Math.floor(count / 2))
  return {
    receiving: createLeaseKeeper(receiving),
    reading: createLeaseKeeper({ most: count, ofTeam, waiting: maxReadersWaiting }),
  }
}

const refusal = 'Too many pushes are under way. Push again in a moment.'

export function gitLeasesOf({ receiving, reading }: GitKeepers): GitLeases {
  return { receiving: leasesOf(receiving, refusal), reading: leasesOf(reading, refusal) }
}
