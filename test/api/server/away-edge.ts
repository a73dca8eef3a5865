/**
 * An edge of its own on a bucket, whose database can be taken away while another node goes on changing it.
 */
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Change } from '../../../src/stores/db/changes.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { degradedIn } from '../../support/readiness.ts'
import { startS3 } from '../../support/s3/server.ts'
import { settingsOf } from '../../support/s3/settings.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type AwayEdge = {
  /** The node that takes deployments. */
  node: TestNode
  edge: TestNode
  /** Between the edge and the database. */
  proxy: TcpProxy
  /** The edge's `/readyz`. */
  readiness(): Promise<{ status: number; degraded: string[] }>
  /** Does `act`, and waits until the edge has heard of all that changed by then. */
  untilHeard(act: () => Promise<unknown>): Promise<void>
  /** Brings the database back; resolves once the edge reads it, and is notified of changes, again. */
  restore(): Promise<void>
  stop(): Promise<void>
}

/** Starts both on a database and a bucket of their own. */
export async function startAwayEdge(): Promise<AwayEdge> {
  const s3 = await startS3()
  const bucket = settingsOf(s3, '')
  const node = await startOwnNode(bucket)
  const url = new URL(String(node.settings.DATABASE_URL))
  const proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
  url.host = `127.0.0.1:${proxy.port}`
  const edge = await startTestNode({ ...bucket, SVC_ROLES: 'edge', DATABASE_URL: url.href })

  async function readiness() {
    const response = await fetch(`http://127.0.0.1:${edge.internalPort}/readyz`)
    return { status: response.status, degraded: degradedIn(await response.json()) }
  }

  return {
    node,
    edge,
    proxy,
    readiness,
    async untilHeard(act) {
      // PostgreSQL delivers notifications in the order of the commits.
      const last: Change = { kind: 'work', id: unique('last') }
      const heard: Change[] = []
      const stop = edge.installation.store.changes.subscribe({
        changed: (change) => heard.push(change),
        missed: () => {},
      })
      await act()
      await node.installation.store.transact(async (tx) => tx.announce(last))
      await expect.poll(() => heard, { interval: 1, timeout: 10_000 }).toContainEqual(last)
      stop()
    },
    async restore() {
      proxy.resume()
      await proxy.restore()
      const listening = () =>
        node.installation.store.db.execute(sql`
          select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`)
      await expect.poll(listening, { timeout: 10_000 }).toHaveLength(2)
      await expect.poll(readiness, { timeout: 10_000 }).toEqual({ status: 200, degraded: [] })
    },
    async stop() {
      await edge.stop()
      await node.stop()
      await proxy.cut()
      await s3.close()
    },
  }
}
