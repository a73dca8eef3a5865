/** The table of series in docs/operators.md, made from their definitions. */
import { openPostgres } from '../../src/db/open.ts'
import { createObservers, seriesOf } from '../../src/node/metrics.ts'
import { parseSettings } from '../../src/settings/parse.ts'

const stats = () => ({ hits: 0, misses: 0, entries: 0 })

/** Markdown, a row a series. */
export function seriesTable(): string {
  const asked = seriesOf({
    settings: parseSettings({}),
    // No connection is made before something is asked.
    store: openPostgres('postgres://nobody@127.0.0.1/none'),
    principals: { stats: { keys: stats, jwts: stats, sessions: stats } },
    sites: { stats },
    limits: { state: () => 'memory' },
    removal: { jumpMs: () => 0 },
    nowMs: Date.now,
  })
  const rows = [...createObservers().series, ...asked].map(({ name, type, labels, help }) => {
    const shown = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${shown} | ${help} |`
  })
  return ['| Series | Type | Labels | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}
