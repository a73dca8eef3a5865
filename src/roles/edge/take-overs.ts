/**
 * A site whose server runs here stays as it is, files and server together, until the server of the next one
 * answers: no request waits for a start because of a promote.
 */
import { LRUCache } from 'lru-cache'
import type { Servers, ServerWanted } from '../../platform/servers/servers.ts'
import type { FileSite, Site } from './find-site.ts'
import type { Sites } from './sites.ts'

/** A site with a server, and its deployment. */
type ServedSite = FileSite & { deploymentId: string; server: NonNullable<FileSite['server']> }

/** The next site of a host; `isOlder` while it isn't known whether the one before runs here. */
type TakeOver = { next: string; state: 'unknown' | 'waiting' | 'over'; known: Promise<void> }

type Served = { site: ServedSite; takeOver?: TakeOver | undefined }

/** Hosts whose server this process has passed requests to. */
const maxHosts = 10_000

/** The sites of a process that passes requests on to `servers`. */
export function createTakeOvers(sites: Sites, servers: Pick<Servers, 'isRunning' | 'takeOver'>): Sites {
  const served = new LRUCache<string, Served>({ max: maxHosts })

  function begin(before: ServedSite, next: ServedSite): TakeOver {
    const [old, wanted] = [keyOf(before), keyOf(next)]
    const takeOver: TakeOver = { next: next.deploymentId, state: 'unknown', known: Promise.resolve() }
    const over = () => {
      takeOver.state = 'over'
    }
    takeOver.known = servers.isRunning(old).then((isRunning) => {
      if (!isRunning) return over()
      takeOver.state = 'waiting'
      void servers.takeOver(old, wanted).then(over, over)
    }, over)
    return takeOver
  }

  /** The site to serve in place of the one that is due; undefined where that isn't known yet. */
  function choose(host: string, due: Site | undefined): Site | undefined | 'unknown' {
    if (!hasServer(due)) {
      if (served.size > 0) served.delete(host)
      return due
    }
    const entry = served.get(host)
    if (!entry || entry.site.deploymentId === due.deploymentId) {
      if (entry?.site !== due || entry.takeOver) served.set(host, { site: due })
      return due
    }
    if (entry.takeOver?.next !== due.deploymentId) entry.takeOver = begin(entry.site, due)
    if (entry.takeOver.state === 'unknown') return 'unknown'
    if (entry.takeOver.state === 'waiting') return asBefore(entry.site, due)
    served.set(host, { site: due })
    return due
  }

  return {
    ...sites,
    peek(host) {
      const found = sites.peek(host)
      if (!found) return undefined
      const value = choose(host, found.value)
      if (value === 'unknown') return undefined
      return value === found.value ? found : { value }
    },
    last(host) {
      const due = sites.last(host)
      // It is being read anew, as after each change.
      if (!due) return undefined
      const chosen = choose(host, due)
      return chosen === 'unknown' ? due : chosen
    },
    async get(host) {
      const due = await sites.get(host)
      const chosen = choose(host, due)
      if (chosen !== 'unknown') return chosen
      await served.get(host)?.takeOver?.known
      const known = choose(host, due)
      return known === 'unknown' ? due : known
    },
  }
}

function hasServer(site: Site | undefined): site is ServedSite {
  return site?.kind === 'files' && site.server !== undefined && site.deploymentId !== null
}

/** The deployment from before, with what the project says now of who may see it. */
function asBefore(before: ServedSite, due: ServedSite): ServedSite {
  const { deploymentId, manifestId, server, spa } = before
  return { ...due, deploymentId, manifestId, server, spa, isProtected: due.isProtected || before.isProtected }
}

function keyOf({ deploymentId, server: { target }, teamId, projectId }: ServedSite): ServerWanted {
  return { deploymentId, target, teamId, projectId }
}
