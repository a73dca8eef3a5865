/**
 * Makes what a whole run shares: a directory for its files, prepared databases to copy and, where stores answer, a database
 * and a Redis's address. In the end it looks for secrets in all that was logged, and fails the run where there is one.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { copyDatabase, createTemplateDatabase } from './databases.ts'
import { postgresUrl } from './postgres.ts'
import { redisUrl } from './redis.ts'
import { describeLeaks, scanLogs } from './scan-logs.ts'
import { makeTemplate } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    directory: string
    /** The prepared files of an embedded database. */
    template: string
    /** The name of a prepared database on PostgreSQL. */
    templateDatabase: string | undefined
    database: string | undefined
    /** The address of a Redis, where one answers. */
    redis: string | undefined
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest calls the default export of this file.
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-test-'))
  const server = await postgresUrl()
  const template = server ? await createTemplateDatabase(server) : undefined
  const database = server && template ? await copyDatabase(server, template.name) : undefined
  project.provide('directory', directory)
  project.provide('template', await makeTemplate(directory))
  project.provide('templateDatabase', template?.name)
  project.provide('database', database?.url)
  project.provide('redis', await redisUrl())
  return async () => {
    await database?.drop()
    await template?.drop()
    const { leaks } = await scanLogs(directory)
    await rm(directory, { recursive: true, force: true })
    if (leaks.length === 0) return
    // Vitest only prints what is thrown here.
    process.exitCode = 1
    throw new Error(describeLeaks(leaks))
  }
}
