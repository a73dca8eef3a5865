/** A model of one edge: its caches, and what it writes. Deterministic: the same seed has the same result. */

/** As in src/roles/edge/sites.ts: the longest use of a look-up, from half of which on it is renewed. */
const maxAgeMs = 900

/**
 * How many sites each cache holds: look-ups; manifests of 20 files in 150 MB; such sites' files on 10 GiB.
 */
const capacities = { lookUps: 10_000, manifests: 18_000, files: 16_000 }

/**
 * As in src/operate/node/edge.ts, upkeep.ts and the request log: how often counts are written, and how many
 * lines a second.
 */
const flushMs = 500
const linesPerSecond = { ofSite: 20, ofAll: 500 }

const sitesOfTeam = 5
const warmUpMs = 20_000

/**
 * Sends `requestsPerSecond` to `sites` by Zipf's law (exponent `skew`, below 1) for `seconds` after a
 * warm-up, while `changesPerSecond` sites change, each of which is forgotten. Returns counts for each second.
 */
export function simulateEdge({ seed, sites, skew, requestsPerSecond, changesPerSecond, seconds }) {
  const random = randomOf(seed)
  const site = () => rank(random(), sites, skew)
  const [lookedUp, manifests, files] = Object.values(capacities).map(createCache)
  // As they are after hours: the most popular are there.
  for (const cache of [manifests, files]) cache.fill(sites)
  const counts = { requests: 0, waits: 0, lookUps: 0, manifests: 0, fetched: 0, rows: 0, lines: 0 }
  const endMs = warmUpMs + seconds * 1_000
  const stepMs = 1_000 / requestsPerSecond
  let nextChangeMs = 1_000 / changesPerSecond
  let flush = newFlush()
  let second = newSecond()
  for (let nowMs = 0; nowMs < endMs; nowMs += stepMs) {
    for (; nextChangeMs <= nowMs; nextChangeMs += 1_000 / changesPerSecond) lookedUp.forget(site())
    const isCounted = nowMs >= warmUpMs
    if (Math.floor(nowMs / flushMs) !== flush.number) {
      if (isCounted) counts.rows += flush.scopes.size
      flush = newFlush(Math.floor(nowMs / flushMs))
    }
    if (Math.floor(nowMs / 1_000) !== second.number) {
      if (isCounted) counts.lines += second.lines + second.leftOut.size
      second = newSecond(Math.floor(nowMs / 1_000))
    }
    const requested = site()
    const ageMs = nowMs - (lookedUp.use(requested) ?? Number.NEGATIVE_INFINITY)
    // As src/stores/cache/fresh-cache.ts: in the background, where it can still be used.
    if (ageMs > maxAgeMs / 2) lookedUp.set(requested, nowMs)
    const [hasManifest, hasFiles] = [manifests, files].map((cache) => cache.use(requested) !== undefined)
    manifests.set(requested, nowMs)
    files.set(requested, nowMs)
    note(requested)
    if (!isCounted) continue
    counts.requests += 1
    counts.waits += Number(ageMs > maxAgeMs)
    counts.lookUps += Number(ageMs > maxAgeMs / 2)
    counts.manifests += Number(!hasManifest)
    counts.fetched += Number(!hasFiles)
  }
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / seconds]))

  function note(requested) {
    flush.scopes.add(requested).add(`team ${Math.floor(requested / sitesOfTeam)}`)
    const ofSite = (second.bySite.get(requested) ?? 0) + 1
    second.bySite.set(requested, ofSite)
    if (ofSite <= linesPerSecond.ofSite && second.lines < linesPerSecond.ofAll) second.lines += 1
    else second.leftOut.add(requested)
  }
}

/** The least recently used of more than `capacity` entries is evicted. */
function createCache(capacity) {
  const entries = new Map()
  return {
    use(key) {
      const known = entries.get(key)
      // Behind all others.
      if (known !== undefined && entries.delete(key)) entries.set(key, known)
      return known
    },
    set(key, value) {
      entries.set(key, value)
      if (entries.size > capacity) entries.delete(entries.keys().next().value)
    },
    forget: (key) => entries.delete(key),
    /** Adds the sites of the first ranks, the first one last. */
    fill(sites) {
      for (let rank = Math.min(sites, capacity); rank > 0; rank -= 1) entries.set(rank - 1, 0)
    },
  }
}

const newFlush = (number = 0) => ({ number, scopes: new Set() })
const newSecond = (number = 0) => ({ number, lines: 0, bySite: new Map(), leftOut: new Set() })

/**
 * A site by its rank, from 0: that of rank k is requested in proportion to 1 / k^skew, as a continuous law.
 */
function rank(share, sites, skew) {
  const power = 1 - skew
  return Math.min(sites, Math.floor(((sites + 1) ** power * share + (1 - share)) ** (1 / power))) - 1
}

/** Mulberry32: numbers from 0 to 1. */
function randomOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
