/** Where symbolic links lead, by the links alone: whether all of them stay below their root. */
import { maxPathBytes } from '../../../lib/names/file-path.ts'

/** A link on the way: the place so far, and the steps that are left, the next one last. */
type Way = { link: string; at: string; steps: string[] }

/**
 * The first of the links that leads out of the root as a kernel follows them, through other links, too;
 * undefined if none does. Each path has its target, relative to its own directory. Reads no file system, and
 * takes each step of each link once.
 */
export function* findEscapingLink(
  links: Readonly<Record<string, string>>,
): Generator<void, string | undefined> {
  const targets = new Map(Object.entries(links))
  /** Where each link leads; undefined for one that leads nowhere, such as in a circle. */
  const places = new Map<string, string | undefined>()
  for (const link of targets.keys()) {
    const escaping = places.has(link) ? undefined : yield* follow(link, targets, places)
    if (escaping !== undefined) return escaping
  }
  return undefined
}

/** Finds the places of a link and of all on its way; returns the one that leads out, if one does. */
function* follow(
  first: string,
  targets: ReadonlyMap<string, string>,
  places: Map<string, string | undefined>,
): Generator<void, string | undefined> {
  const begin = (link: string): Way => ({ link, at: above(link), steps: stepsOf(targets.get(link)) })
  const ways = [begin(first)]
  const open = new Set([first])

  /** Says that all on the way lead nowhere: they need a link that does. */
  function giveUp(): void {
    for (const { link } of ways.splice(0)) places.set(link, undefined)
  }

  for (let way = ways.at(-1); way !== undefined; way = ways.at(-1)) {
    const step = way.steps.pop()
    if (step === undefined) {
      places.set(way.link, way.at)
      ways.pop()
      const before = ways.at(-1)
      if (before) before.at = way.at
      yield
      continue
    }
    if (step === root || (step === '..' && way.at === '')) return way.link
    if (step === '..') way.at = above(way.at)
    if (step === '..' || step === '' || step === '.') continue
    const next = way.at === '' ? step : `${way.at}/${step}`
    const known = places.get(next)
    const leadsNowhere = known === undefined && (places.has(next) || open.has(next))
    // Nothing has so long a path.
    if (leadsNowhere || next.length > maxPathBytes) giveUp()
    else if (known !== undefined) way.at = known
    else if (targets.has(next)) {
      open.add(next)
      ways.push(begin(next))
    } else way.at = next
  }
  return undefined
}

/** The step of an absolute target. */
const root = '/'

function stepsOf(target = ''): string[] {
  return target.startsWith(root) ? [root] : target.split('/').reverse()
}

function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
