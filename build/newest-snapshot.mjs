/**
 * Keeps the newest snapshot of the schema alone: drizzle-kit compares the next schema with no other. It is
 * written on one line, since nobody reads it: the change of a column is one line of SQL to review.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const snapshots = readdirSync('drizzle/meta').filter((name) => name.endsWith('_snapshot.json'))
const [newest, ...older] = snapshots.toSorted().toReversed()
for (const name of older) rmSync(`drizzle/meta/${name}`)
if (newest) {
  const path = `drizzle/meta/${newest}`
  writeFileSync(path, `${JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))}\n`)
}
