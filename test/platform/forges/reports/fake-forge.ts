/** A forge on a real TLS socket: it keeps comments as forges do, and refuses what they would. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Forge } from '../../../../src/stores/db/schema/project-repositories.ts'
import { newCertificate } from '../../../support/certificate.ts'

type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: unknown }

type Comment = { id: number; body: string; userId: number }

export type FakeForge = {
  ca: string
  port: number
  /** Of all requests, the first one first. */
  received: Received[]
  comments: Comment[]
  /** Answers the next requests instead, until it is undefined or returns false. */
  answer: ((response: ServerResponse, request: Received) => boolean) | undefined
  close(): Promise<void>
}

export const host = 'git.example.com'
export const token = 'secret-token-of-the-forge'
export const ownUser = 7

const authorizations: Record<Forge, string> = {
  github: `Bearer ${token}`,
  gitlab: `Bearer ${token}`,
  gitea: `token ${token}`,
}

const repositories: Record<Forge, string> = {
  github: '/api/v3/repos/acme/web',
  gitlab: '/api/v4/projects/acme%2Fsites%2Fweb',
  gitea: '/api/v1/repos/acme/web',
}

const users: Record<Forge, string> = {
  github: '/api/v3/user',
  gitlab: '/api/v4/user',
  gitea: '/api/v1/user',
}

/** The list of comments of pull request 5, and where one of them is. */
const places: Record<Forge, { list: string; one: string; edit: string }> = {
  github: { list: '/issues/5/comments', one: '/issues/comments/', edit: 'PATCH' },
  gitea: { list: '/issues/5/comments', one: '/issues/comments/', edit: 'PATCH' },
  gitlab: { list: '/merge_requests/5/notes', one: '/merge_requests/5/notes/', edit: 'PUT' },
}

export async function startFakeForge(provider: Forge): Promise<FakeForge> {
  const { cert, key } = await newCertificate(host)
  const server = createServer({ cert, key })
  const forge: FakeForge = {
    ca: cert,
    port: 0,
    received: [],
    comments: [],
    answer: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  server.on('request', async (request, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const received: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    forge.received.push(received)
    if (forge.answer?.(response, received)) return
    const [status, body] = answerTo(forge, provider, received)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  forge.port = address !== null && typeof address === 'object' ? address.port : 0
  return forge
}

function answerTo(forge: FakeForge, provider: Forge, received: Received): [number, unknown] {
  const { method, headers, body } = received
  const url = new URL(received.path, 'https://forge.invalid')
  if (headers.authorization !== authorizations[provider] || !headers['user-agent']) return [401, {}]
  if (body !== undefined && headers['content-type'] !== 'application/json') return [415, {}]
  if (method === 'GET' && url.pathname === users[provider]) return [200, { id: ownUser, login: 'svc' }]
  const repository = repositories[provider]
  if (!url.pathname.startsWith(`${repository}/`)) return [404, {}]
  const place = url.pathname.slice(repository.length)
  if (method === 'POST' && /^\/statuses\/[0-9a-f]{40}$/.test(place)) return [201, {}]
  const { list, one, edit } = places[provider]
  if (method === 'GET' && place === list) return [200, pageOf(forge, provider, url.searchParams)]
  if (method === 'POST' && place === list) {
    forge.comments.push({ id: forge.comments.length + 1, body: textIn(body), userId: ownUser })
    return [201, {}]
  }
  const comment = forge.comments.find(({ id }) => place === `${one}${id}`)
  if (method !== edit || !comment) return [404, {}]
  if (comment.userId !== ownUser) return [403, {}]
  comment.body = textIn(body)
  return [200, {}]
}

/** Gitea gives all of them at once. */
function pageOf({ comments }: FakeForge, provider: Forge, query: URLSearchParams): unknown[] {
  const [length, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)]
  const listed = provider === 'gitea' ? comments : comments.slice((page - 1) * length, page * length)
  return listed.map(({ id, body, userId }) => ({
    id,
    body,
    [provider === 'gitlab' ? 'author' : 'user']: { id: userId },
  }))
}

function textIn(body: unknown): string {
  return String(Reflect.get(Object(body), 'body'))
}
