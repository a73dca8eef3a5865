/** Keeps the newest snapshot of the schema alone: drizzle-kit compares the next schema with no other. */
import { readdirSync, rmSync } from 'node:fs'

const snapshots = readdirSync('drizzle/meta').filter((name) => name.endsWith('_snapshot.json'))
for (const older of snapshots.toSorted().slice(0, -1)) rmSync(`drizzle/meta/${older}`)
