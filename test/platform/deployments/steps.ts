/** Steps shared by tests of deployments: deploying, uploading, and visiting a site. */
import { createHash } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { newId } from '../../../src/lib/ids.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import type { Answer } from '../../support/api.ts'
import type { TestNode } from '../../support/node.ts'
import type { TestTeam } from '../../support/team.ts'

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** A file by digest, for a client that uploads the content separately. */
export function byDigest(path: string, content: string) {
  return { path, sha256: sha256(content), size: Buffer.byteLength(content) }
}

/** Creates a deployment, of one page unless `fields` override it, and its project if necessary. */
export async function deploy(team: TestTeam, fields: Record<string, unknown> = {}): Promise<Answer['body']> {
  const { project = 'web', ...rest } = fields
  await team.owner('PUT', `/v1/projects/${project}`)
  const body = { project, files: [{ path: 'index.html', content: 'hello' }], ...rest }
  const answer = await team.owner('POST', '/v1/deployments', body)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

/** Sends raw bytes to an upload URL. */
export async function upload(
  url: string,
  bytes: string | Buffer,
): Promise<{ status: number; body: Answer['body'] }> {
  const response = await fetch(url, { method: 'PUT', body: bytes })
  return { status: response.status, body: await response.json() }
}

/** The response that a visitor of a site gets. */
export async function visit(
  url: string,
  path = '/',
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; body: string }> {
  const { status, bytes } = await visitBytes(url, path, headers)
  return { status, body: bytes.toString('utf8') }
}

export function visitBytes(
  url: string,
  path: string,
  more: Record<string, string> = {},
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { host: `${hostname}:${port}`, ...more }
    const sent = request({ host: '127.0.0.1', port, path, headers })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const { statusCode: status, headers } = response
      buffer(response).then((bytes) => resolve({ status, headers, bytes }), reject)
    })
    sent.end()
  })
}

type Row = typeof deployments.$inferInsert

/** Inserts a row as only a build would create it: without files, in any state. Returns its id. */
export async function insertDeployment(
  node: TestNode,
  team: TestTeam,
  row: Partial<Row> = {},
): Promise<string> {
  const createdMs = row.createdMs ?? Date.now()
  const id = newId('deployment', createdMs)
  const project = await team.owner('PUT', '/v1/projects/web')
  await node.installation.store.db.insert(deployments).values({
    id,
    teamId: team.id,
    projectId: project.body.id,
    host: `web-${id.slice(-12)}`,
    target: 'preview',
    state: 'queued',
    build: project.body.build,
    meta: {},
    files: 0,
    bytes: 0,
    createdBy: team.ownerId,
    createdMs,
    ...row,
  })
  return id
}
