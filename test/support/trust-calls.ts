/**
 * The API of a node with the calls of `trust` in front of it: it stands in for that category until nodes have
 * it, and knows one project's policies.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const createSchema = z.strictObject({
  project: z.string(),
  issuer: z.string(),
  claims: z.record(z.string(), z.string()),
  targets: z.array(z.enum(['preview', 'production'])).default(['preview']),
})

type Policy = Omit<z.infer<typeof createSchema>, 'project'> & { id: string }

export async function startTrustCalls(apiUrl: string): Promise<{ url: string; close(): void }> {
  let policies: Policy[] = []
  const server = createServer(async (received, response) => {
    const { pathname, searchParams } = new URL(received.url ?? '/', apiUrl)
    if (!pathname.startsWith('/trpc/trust.')) {
      const { method, headers } = received
      const target = new URL(received.url ?? '/', apiUrl)
      const sent = request(target, { method, headers: { ...headers, host: target.host } }, (got) => {
        response.writeHead(got.statusCode ?? 500, got.headers)
        got.pipe(response)
      })
      received.pipe(sent)
      return
    }
    const given = JSON.parse(
      received.method === 'GET' ? (searchParams.get('input') ?? '{}') : await text(received),
    )
    const data = answer(pathname.replace('/trpc/trust.', ''), given['0'] ?? given)
    const result = { result: { data } }
    const body = JSON.stringify(searchParams.has('batch') ? [result] : result)
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function answer(call: string, input: unknown): unknown {
    const facts = { created_by: 'usr_1', created_by_name: 'Ada', created_ms: Date.now(), last_used_ms: 0 }
    if (call === 'create') {
      const { project: _of, ...policy } = createSchema.parse(input)
      const made = { id: `tp_${policies.length + 1}`, ...policy, ...facts }
      policies = [made, ...policies]
      return made
    }
    if (call === 'list') return { data: policies }
    const { id } = z.strictObject({ project: z.string(), id: z.string() }).parse(input)
    policies = policies.filter((each) => each.id !== id)
    return { id, deleted: true }
  }

  const port = Number(Object(server.address()).port)
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
