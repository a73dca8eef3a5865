/** The events of teams. */
import { asc, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { loggedTypes } from '../../src/lib/names/event-types.ts'
import { events } from '../../src/stores/db/schema/events.ts'
import { loggedData } from '../../src/stores/events/types.ts'
import type { TestNode } from './node.ts'

/** The team's events in the order in which they happened, each checked against its schema. */
export async function logOf({ installation }: TestNode, team: { id: string }) {
  const rows = await installation.store.db
    .select()
    .from(events)
    .where(eq(events.teamId, team.id))
    .orderBy(asc(events.createdMs), asc(events.id))
  for (const { type, data } of rows) {
    const known = loggedTypes.find((each) => each === type)
    if (!known) throw new Error(`${type} is no type of event.`)
    // The schema must cover every field.
    expect(loggedData[known].parse(data)).toEqual(data)
  }
  return rows
}

/** The same as pairs of type and data. */
export async function eventPairs(node: TestNode, team: { id: string }) {
  return (await logOf(node, team)).map(({ type, data }) => [type, data])
}
