/**
 * `npm run db:generate`: makes the migration to the schema of `src/stores/db/schema`, and keeps only the newest snapshot, which
 * is all that drizzle-kit compares the next schema with. What is given after `--` is drizzle-kit's.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'

const { status } = spawnSync('tools/node_modules/.bin/drizzle-kit', ['generate', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
const snapshots = readdirSync('drizzle/meta').filter((name) => name.endsWith('_snapshot.json'))
if (status === 0) for (const older of snapshots.toSorted().slice(0, -1)) rmSync(`drizzle/meta/${older}`)
process.exitCode = status ?? 1
