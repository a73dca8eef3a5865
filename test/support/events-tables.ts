/** The tables of events in docs/api.md, generated from the events' definitions. */
import { eventData, eventSubjects } from '../../src/stores/events/types.ts'

const code = (names: string[]) => names.map((name) => `\`${name}\``).join(', ')

/** Markdown: a row per event type, then a row per entity in the events' data. */
export function eventsTables(): string {
  const types = Object.entries(eventData).map(
    ([type, schema]) =>
      `| \`${type}\` | ${schema.meta()?.description} | ${code(Object.keys(schema.shape))} |`,
  )
  const subjects = Object.entries(eventSubjects).map(
    ([name, schema]) => `| \`${name}\` | ${code(Object.keys(schema.shape))} |`,
  )
  return [
    ...['| Event | When | `data` |', '|---|---|---|', ...types, ''],
    ...['| In `data` | Its fields |', '|---|---|', ...subjects],
  ].join('\n')
}
