/** Measures several servers by turns, so that whatever else the machine does falls on all of them. */
import { amount } from './amount.mjs'
import { cpuSeconds } from './children.mjs'
import { load as requestPages } from './wrk.mjs'

const usualRounds = amount(5, 1, 3)
const roundSeconds = amount(2, 1, 1)

/**
 * What it takes until everything that is often run has been compiled; on a machine that is busy otherwise,
 * less.
 */
const usualWarmUp = 25_000
const maxWarmUpSeconds = amount(12, 0, 4)

/**
 * @typedef {{ name: string, child: import('node:child_process').ChildProcess, url: string,
 *   headers: Record<string, string>, wrkCores?: string, connections?: number,
 *   cpuSeconds?: (child: import('node:child_process').ChildProcess) => number }} Target
 * @typedef {(target: Target, seconds: number) => Promise<{ rate: number, count: number }>} Load what came,
 * requests or
 *   whatever else is counted, a second and in all
 * @typedef {{ rate: number, cpuUs: number, busy: number }} Round requests a second, processor time for one in
 *   microseconds, and how much of a core the server used
 * @typedef {{ name: string, rounds: Round[] }} Measured
 */

/**
 * @param {Target[]} targets
 * @param {{ load?: Load, rounds?: number, warmUpRequests?: number, afterWarmUp?: () => Promise<void> }}
 * [options]
 * @returns {Promise<Measured[]>}
 */
export async function measure(targets, options = {}) {
  const { load = requestPages, rounds = usualRounds, warmUpRequests = usualWarmUp, afterWarmUp } = options
  for (const target of targets) await warmUp(target, load, warmUpRequests)
  await afterWarmUp?.()
  const measured = targets.map(({ name }) => ({ name, rounds: /** @type {Round[]} */ ([]) }))
  for (let round = 0; round < rounds; round += 1) {
    const order = [...targets.keys()]
    // Who comes first changes, so that nobody always follows the same one.
    if (round % 2 === 1) order.reverse()
    for (const index of order) measured[index].rounds.push(await measureOnce(targets[index], load))
  }
  return measured
}

async function warmUp(target, load, warmUpRequests) {
  let requests = 0
  for (let seconds = 0; seconds < maxWarmUpSeconds && requests < warmUpRequests; seconds += roundSeconds) {
    requests += (await load(target, roundSeconds)).count
  }
}

async function measureOnce(target, load) {
  const { child, cpuSeconds: secondsOf = cpuSeconds } = target
  const before = secondsOf(child)
  const { rate, count } = await load(target, roundSeconds)
  const cpu = secondsOf(child) - before
  return { rate, cpuUs: (cpu / count) * 1e6, busy: (cpu * rate) / count }
}

/**
 * How `ours` does beside `peer`: the best round of each, the median of the rounds' ratios, and that of
 * processor time.
 */
export function compare(ours, peer) {
  const best = (/** @type {Measured} */ { rounds }) => Math.max(...rounds.map(({ rate }) => rate))
  return {
    best: best(ours) / best(peer),
    median: median(ours.rounds.map(({ rate }, index) => rate / peer.rounds[index].rate)),
    cpu: median(ours.rounds.map(({ cpuUs }, index) => peer.rounds[index].cpuUs / cpuUs)),
  }
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
