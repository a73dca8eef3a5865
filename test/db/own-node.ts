/** A node on a database that nobody else uses, for tests that look at all of it or let its time pass. */

import type { Timeouts } from '../../src/server/deps.ts'
import { createDatabase } from '../support/databases.ts'
import { startTestNode, type TestNode } from '../support/node.ts'

/** Its worker is off unless `environment` says otherwise; `stop` also drops the database. */
export async function startOwnNode(
  environment: Record<string, string> = {},
  timeouts?: Timeouts,
): Promise<TestNode> {
  const server = process.env.TEST_ON
  const database = server ? await createDatabase(server) : undefined
  const node = await startTestNode(
    {
      SVC_ROLES: 'api,edge',
      ...(database && { DATABASE_URL: database.url }),
      ...environment,
    },
    timeouts,
  )
  return {
    ...node,
    async stop() {
      await node.stop()
      await database?.drop()
    },
  }
}
