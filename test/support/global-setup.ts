/**
 * Creates what a whole run shares: a directory for its files, template databases to copy and, where they are
 * available, the addresses of PostgreSQL and Redis. At the end it searches all logs for secrets, and fails
 * the run if it finds one, or, in CI, if the run held too many connections.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { watchConnections } from './connections.ts'
import { dataRoot } from './data-root.ts'
import { copyDatabase, createTemplateDatabase, newDatabasePrefix } from './databases.ts'
import { postgresUrl } from './postgres.ts'
import { redisUrl } from './redis.ts'
import { describeLeaks, scanLogs } from './scan-logs.ts'
import { makeTemplate } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    directory: string
    /** For the data directories of the run's nodes. */
    dataDirectories: string
    /** The template files of an embedded database. */
    template: string
    /** The prefix of the names of this run's databases on PostgreSQL. */
    databasePrefix: string
    /** The name of a template database on PostgreSQL. */
    templateDatabase: string | undefined
    database: string | undefined
    /** The address of Redis, if available. */
    redis: string | undefined
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest calls the default export of this file.
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-test-'))
  const dataDirectories = await mkdtemp(join(dataRoot(), 'svc-data-'))
  const server = await postgresUrl()
  const prefix = newDatabasePrefix()
  const template = server ? await createTemplateDatabase(server, prefix) : undefined
  const database = server && template ? await copyDatabase(server, template.name, prefix) : undefined
  const connections = server ? watchConnections(server, prefix) : undefined
  project.provide('directory', directory)
  project.provide('dataDirectories', dataDirectories)
  project.provide('template', await makeTemplate(dataDirectories))
  project.provide('databasePrefix', prefix)
  project.provide('templateDatabase', template?.name)
  project.provide('database', database?.url)
  project.provide('redis', await redisUrl())
  return async () => {
    const tooMany = await connections?.stop()
    await database?.drop()
    await template?.drop()
    const { leaks } = await scanLogs(directory)
    for (const each of [directory, dataDirectories]) await rm(each, { recursive: true, force: true })
    const problems = [...(leaks.length > 0 ? [describeLeaks(leaks)] : []), ...(tooMany ? [tooMany] : [])]
    if (problems.length === 0) return
    // Vitest only prints errors that are thrown here.
    process.exitCode = 1
    throw new Error(problems.join('\n'))
  }
}
