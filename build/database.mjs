/**
 * Makes the embedded database that a first start unpacks: empty and migrated. It takes seconds, so it is made
 * again only where the migrations or the engine have changed.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migratePglite } from '../dist/stores/db/migrate.js'

const archive = 'dist/database.tar.gz'
const stamp = 'dist/.database-made-from'

const madeFrom = digestOf([
  'build/database.mjs',
  'node_modules/@electric-sql/pglite/package.json',
  'drizzle/meta/_journal.json',
  ...readdirSync('drizzle')
    .filter((name) => name.endsWith('.sql'))
    .map((name) => `drizzle/${name}`),
])

if (!existsSync(archive) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== madeFrom) {
  const client = await PGlite.create()
  await dropTemplates(client)
  await migratePglite(drizzle(client), { info() {}, warn() {} })
  await client.exec('checkpoint')
  const dump = await client.dumpDataDir('gzip')
  await client.close()
  writeFileSync(archive, Buffer.from(await dump.arrayBuffer()))
  writeFileSync(stamp, madeFrom)
}

/**
 * Nothing is ever created from them here, and they are half of all files, which take most of the time that
 * unpacking takes.
 */
async function dropTemplates(client) {
  for (const name of ['template1', 'template0']) {
    await client.exec(`alter database ${name} is_template false`)
    await client.exec(`drop database ${name}`)
  }
}

function digestOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}
