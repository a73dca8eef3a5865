/** The table of series in docs/operators.md, generated from the series' definitions. */

import { parseSettings } from '../../src/lib/settings/parse.ts'
import { createObservers, seriesOf } from '../../src/operate/node/metrics.ts'
import type { Series } from '../../src/roles/internal/metrics/series.ts'
import { openPostgres } from '../../src/stores/db/open-database.ts'

const stats = () => ({ hits: 0, misses: 0, entries: 0 })

/** All series of a node's own. */
export function allSeries(): Series[] {
  const sampled = seriesOf({
    settings: parseSettings({}),
    // No connection is made before the first query.
    store: openPostgres('postgres://nobody@127.0.0.1/none'),
    principals: { stats: { keys: stats, jwts: stats, sessions: stats } },
    sites: { stats },
    limits: { state: () => 'memory' },
    removal: { jumpMs: () => 0 },
    unread: { unreadBytes: () => 0 },
    alerts: { look: async () => ({ alerts: [], disk: undefined, certificates: [], backup: undefined }) },
    servers: { list: () => [], waiting: () => 0 },
    nowMs: Date.now,
  })
  return [...createObservers().series, ...sampled]
}

/** Markdown, a row per series. */
export function seriesTable(): string {
  const rows = allSeries().map(({ name, type, labels, help }) => {
    const labelNames = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${labelNames} | ${help} |`
  })
  return ['| Series | Type | Labels | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}
