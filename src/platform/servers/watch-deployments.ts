/** Ends servers whose deployments are gone, and those that were started before their project's restart. */
import type { Logger } from '../../lib/log/logger.ts'
import type { Changes } from '../../stores/db/changes.ts'
import type { Database } from '../../stores/db/database.ts'
import { isStoreAway } from '../../stores/db/failures.ts'
import { readRestarts } from './read-server.ts'
import type { Graces } from './running-server.ts'
import type { ServerSlot } from './server-slot.ts'

export type DeploymentWatch = {
  /** Looks soon, as after each change of a deployment or project. */
  lookSoon(): void
  /** Looks again where the last look failed. */
  retry(): void
  stop(): void
}

type Deps = { db: Database; changes: Changes; log: Logger; graces: Graces; slots: () => ServerSlot[] }

/** One query at a time looks after all of them, however many changes come. */
export function watchDeployments({ db, changes, log, graces, slots }: Deps): DeploymentWatch {
  let isLooking = false
  let isDue = false
  let isStopped = false

  async function look(): Promise<void> {
    const seen = slots()
    if (seen.length === 0) return
    const ids = new Set(seen.map(({ server }) => server.deploymentId))
    const restarts = await readRestarts(db, [...ids])
    if (isStopped) return
    for (const slot of seen) {
      const restartedMs = restarts.get(slot.server.deploymentId)
      if (restartedMs === undefined) slot.remove(graces)
      else slot.restartedAt(restartedMs, graces)
    }
  }

  async function lookWhileDue(): Promise<void> {
    isLooking = true
    try {
      while (isDue && !isStopped) {
        isDue = false
        await look()
      }
    } catch (err) {
      isDue = true
      if (!isStoreAway(err)) log.error({ err }, 'Whether servers are to run on could not be read.')
    } finally {
      isLooking = false
    }
  }

  function lookSoon(): void {
    isDue = true
    if (!isLooking) void lookWhileDue()
  }

  const unsubscribe = changes.subscribe({
    changed({ kind, id }) {
      const isOf = ({ server }: ServerSlot) =>
        (kind === 'project' && server.projectId === id) ||
        (kind === 'deployment' && server.deploymentId === id)
      if (slots().some(isOf)) lookSoon()
    },
    missed: lookSoon,
  })

  return {
    lookSoon,
    retry() {
      if (isDue) lookSoon()
    },
    stop() {
      isStopped = true
      unsubscribe()
    },
  }
}
