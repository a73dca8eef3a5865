/** Databases on PostgreSQL that a test has for itself. */
import postgres from 'postgres'
import { inject } from 'vitest'
import { migratePostgres } from '../../src/db/migrate.ts'

type TestDatabase = { url: string; drop(): Promise<void> }

/** Makes a database with the schema in it; returns its address and the way to drop it. */
export async function createDatabase(server: string): Promise<TestDatabase> {
  const template = inject('templateDatabase')
  return template === undefined ? createEmptyDatabase(server) : copyDatabase(server, template)
}

/** Makes a database that nothing is in, as for a first start. */
export async function createEmptyDatabase(server: string): Promise<TestDatabase & { name: string }> {
  const name = newName()
  await run(server, `create database ${name}`)
  return databaseOf(server, name)
}

/** Makes a database with the schema in it for others to be copied from: nobody may be connected to it. */
export async function createTemplateDatabase(server: string): Promise<TestDatabase & { name: string }> {
  const template = await createEmptyDatabase(server)
  await migratePostgres(template.url)
  return template
}

/** Makes a copy of a database, in a quarter of the time that migrations take. */
export async function copyDatabase(server: string, template: string): Promise<TestDatabase> {
  const name = newName()
  await run(server, `create database ${name} template ${template}`)
  return databaseOf(server, name)
}

function newName(): string {
  return `svc_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
}

function databaseOf(server: string, name: string): TestDatabase & { name: string } {
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => run(server, `drop database if exists ${name} with (force)`) }
}

async function run(server: string, statement: string): Promise<void> {
  const sql = postgres(server, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
