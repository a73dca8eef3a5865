/**
 * Whether four hot ways still cost what they did: the ratio of a peer's processor time for one request to
 * ours, in the same run, beside the one that `ratios.json` has for this version of Node. Who spends more
 * changes the figure there, and says why.
 */
import { readFileSync } from 'node:fs'

/** A row with a key, a call of `/trpc`, a file at the edge, and a delivery. */
export const guarded = ['read-row', 'single-call', 'serve-file', 'webhook-rate']

/** So much less than the figure is a loss, when every attempt says so. */
const tolerance = 0.15
const attempts = 3

/**
 * How far ratios of equal programs lie apart, as a part of their median, on a quiet machine and on one with
 * six busy loops: where that is more than the tolerance, a loss is printed and doesn't fail.
 * @typedef {{ ratio: number, quietSpread: number, busySpread: number }} Figure
 */

/**
 * Measures each of `names`, up to three times. A version of Node without figures has none to fall behind.
 * @param {string[]} names
 * @param {(name: string) => Promise<import('./report.mjs').Rates>} measure
 * @throws Error for those that have become slower, or that no attempt could measure.
 */
export async function guard(names, measure) {
  const [major] = process.versions.node.split('.')
  /** @type {Record<string, Record<string, Figure>>} */
  const known = JSON.parse(readFileSync(new URL('ratios.json', import.meta.url), 'utf8'))
  const slower = []
  for (const name of names) {
    const figure = known[major]?.[name]
    const least = figure ? figure.ratio * (1 - tolerance) : 0
    const best = await bestOf(name, least, measure)
    const before = figure ? `${figure.ratio} when it was` : `which for Node ${major} was never`
    console.log(`${name}: ${best.toFixed(2)} of its peer, ${before} written down.`)
    if (!figure || best >= least) continue
    if (Math.max(figure.quietSpread, figure.busySpread) > tolerance)
      console.log(`${name} became slower, or the machine is busy: measurements of it lie far apart.`)
    else slower.push(name)
  }
  if (slower.length > 0) throw new Error(`${slower.join(', ')} became slower. See bench/ratios.json.`)
}

/** The best ratio of attempts that end with the first which is good enough. @throws what the last one did. */
async function bestOf(name, enough, measure) {
  let best
  let failure
  for (let attempt = 0; attempt < attempts && !(best >= enough); attempt += 1) {
    try {
      const { comparisons } = await measure(name)
      best = Math.max(best ?? 0, comparisons[0].cpu)
    } catch (error) {
      // On a machine that stands still for seconds the load loses answers.
      failure = error
      console.error(error)
    }
  }
  if (best === undefined) throw failure
  return best
}
