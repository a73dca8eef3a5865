/** A node on a database of its own, for tests that read all of it or move its time. */

import type { Timeouts } from '../../../src/api/server/http/timeouts.ts'
import { createDatabase } from '../../support/databases.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'

/** Its worker is off unless `environment` overrides it; `stop` also drops the database. */
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
    timeouts && { timeouts },
  )
  return {
    ...node,
    async stop() {
      await node.stop()
      await database?.drop()
    },
  }
}
