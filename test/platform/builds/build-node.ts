/** Nodes that run builds, with a database that no other test's workers use. */

import { randomUUID } from 'node:crypto'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { inject } from 'vitest'
import { logLines } from '../../../src/stores/db/schema/logs.ts'
import type { Answer } from '../../support/api.ts'
import { createDatabase } from '../../support/databases.ts'
import { until } from '../../support/eventually.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'
import type { TestTeam } from '../../support/team.ts'

type Nodes = {
  /** Another node on the same database and the same blobs. */
  start(environment?: Record<string, string>): Promise<TestNode>
  stop(): Promise<void>
}

/** A first node, and a function that starts others, which only PostgreSQL allows. */
export async function startBuildNodes(
  environment: Record<string, string> = {},
): Promise<Nodes & { node: TestNode }> {
  const server = process.env.TEST_ON
  const database = server === undefined ? undefined : await createDatabase(server)
  const nodes: TestNode[] = []
  const blobs = join(inject('directory'), `blobs-${randomUUID().slice(0, 8)}`)
  const start = async (more: Record<string, string> = {}) => {
    const directory = join(inject('directory'), randomUUID().slice(0, 8))
    await mkdir(directory, { recursive: true })
    await mkdir(blobs, { recursive: true })
    await symlink(blobs, join(directory, 'blobs'))
    const node = await startTestNode({
      SVC_DATA_DIR: directory,
      ...(database && { DATABASE_URL: database.url }),
      ...environment,
      ...more,
    })
    nodes.push(node)
    return node
  }
  return {
    node: await start(),
    start,
    async stop() {
      for (const node of nodes) await node.stop()
      await database?.drop()
    },
  }
}

/** Creates a deployment that is built by a shell command, and its project if necessary. */
export async function deployBuild(
  team: TestTeam,
  command: string,
  fields: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const { project = 'web', build, ...rest } = fields
  await team.owner('PUT', `/v1/projects/${project}`)
  const { status, body } = await team.owner('POST', '/v1/deployments', {
    project,
    files: [{ path: 'page.txt', content: 'hello' }],
    build: { build_command: command, ...(typeof build === 'object' ? build : {}) },
    ...rest,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

/** The deployment once it has ended, or after two minutes. */
export async function whenEnded(team: TestTeam, id: string): Promise<Answer['body']> {
  for (let round = 1; ; round += 1) {
    const { body } = await team.owner('GET', `/v1/deployments/${id}?wait_s=30`)
    if (!['queued', 'building'].includes(body.state) || round === 4) return body
  }
}

/** The deployment once it is in this state. */
export async function whenIn(team: TestTeam, id: string, state: string): Promise<Answer['body']> {
  return until(
    async () => {
      const { body } = await team.owner('GET', `/v1/deployments/${id}`)
      return body.state === state && body
    },
    { limitMs: 60_000 },
  )
}

/** The log of a build, in order. */
export function linesOf(node: TestNode, id: string) {
  return node.installation.store.db
    .select({ level: logLines.level, text: logLines.message, timeMs: logLines.timeMs, kind: logLines.kind })
    .from(logLines)
    .where(eq(logLines.deploymentId, id))
    .orderBy(asc(logLines.timeMs), asc(logLines.id))
}
