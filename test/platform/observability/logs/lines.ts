/** Log lines as builds write them. */
import { logLines } from '../../../../src/stores/db/schema/logs.ts'
import type { TestNode } from '../../../support/node.ts'

type Line = Partial<typeof logLines.$inferInsert> & { message: string }

/** Long enough ago for a client that reads forwards. */
export const settledMs = () => Date.now() - 60_000

/** Inserts lines of a team's builds, in this order. */
export async function writeLines(node: TestNode, team: { id: string }, lines: Line[]): Promise<void> {
  const timeMs = settledMs()
  const shared = { teamId: team.id, kind: 'build', level: 'info', fields: {}, timeMs } as const
  await node.installation.store.db.insert(logLines).values(lines.map((line) => ({ ...shared, ...line })))
}
