/** PostgreSQL databases of a test's own. */
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import { migratePostgres } from '../../src/stores/db/migrate.ts'

export type TestDatabase = { url: string; drop(): Promise<void> }

/** Creates a database with the schema; returns its address and a function that drops it. */
export async function createDatabase(server: string): Promise<TestDatabase> {
  const template = inject('templateDatabase')
  return template === undefined ? createEmptyDatabase(server) : copyDatabase(server, template)
}

/** Creates an empty database, as for a first start. */
export async function createEmptyDatabase(
  server: string,
  prefix = inject('databasePrefix'),
): Promise<TestDatabase & { name: string }> {
  const name = newName(prefix)
  await create(server, name)
  return databaseOf(server, name)
}

/** Creates a database with the schema as a template for others: nobody may be connected to it. */
export async function createTemplateDatabase(
  server: string,
  prefix: string,
): Promise<TestDatabase & { name: string }> {
  const template = await createEmptyDatabase(server, prefix)
  await migratePostgres(template.url, { info() {}, warn() {} })
  return template
}

/** Copies a database, in a quarter of the time that migrations take. */
export async function copyDatabase(
  server: string,
  template: string,
  prefix = inject('databasePrefix'),
): Promise<TestDatabase> {
  const name = newName(prefix)
  await create(server, name, `template ${template}`)
  return databaseOf(server, name)
}

/** The prefix of the names of all databases of a run, so that its connections can be counted. */
export function newDatabasePrefix(): string {
  return `svc_test_${random()}_`
}

function newName(prefix: string): string {
  return `${prefix}${random()}`
}

function random(): string {
  return randomBytes(8).toString('hex')
}

function databaseOf(server: string, name: string): TestDatabase & { name: string } {
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => run(server, `drop database if exists ${name} with (force)`) }
}

/** Commits don't wait for the disk: no test of these databases outlives a crash of their server. */
function create(server: string, name: string, options = ''): Promise<void> {
  return run(
    server,
    `create database ${name} ${options}`,
    `alter database ${name} set synchronous_commit = off`,
  )
}

async function run(server: string, ...statements: string[]): Promise<void> {
  const sql = postgres(server, { max: 1, onnotice: () => {} })
  try {
    for (const statement of statements) await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
