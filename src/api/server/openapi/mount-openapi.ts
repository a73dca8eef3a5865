/** Serves the OpenAPI document, that of RPC, and the schema of `svc.json`. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { version } from '../../../lib/version.ts'
import { projectFileSchema } from '../../routers/project-file.ts'
import { countAs } from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { matchesEtag } from '../http/etag.ts'
import { createOpenApiDocument } from './document.ts'
import { createRpcDocument } from './rpc-document.ts'

type Sent = { bytes: Buffer; etag: string }

/** The documents of the API at `apiUrl`, also as they are sent. */
type Described = { apiUrl: string; document: unknown; rpc: unknown; sent: Record<DocumentPath, Sent> }

const documentPaths = ['/openapi.json', '/rpc.json'] as const

type DocumentPath = (typeof documentPaths)[number]

/**
 * Adds `/openapi.json`, `/rpc.json` and `/svc.schema.json`; they need no credential. Returns what describes
 * the API, to be
 * called only once the server listens: the document contains its address.
 */
export function mountDocument(app: FastifyInstance, { services }: ServerDeps): () => Described {
  const onRequest = countAs('docs')
  let made: Described | undefined
  const describe = () => {
    made ??= describeApi(services.apiUrl)
    return made
  }

  for (const path of documentPaths) {
    app.get(path, { onRequest }, async (request, reply) => {
      const { bytes, etag } = describe().sent[path]
      reply.headers({ etag, 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' })
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return bytes
    })
  }

  app.get('/svc.schema.json', { onRequest }, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'application/schema+json; charset=utf-8',
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=3600',
      })
      .send(projectFileSchema(`${services.apiUrl}/svc.schema.json`)),
  )
  return describe
}

function describeApi(apiUrl: string): Described {
  const text = JSON.stringify(createOpenApiDocument(apiUrl, version))
  const rpc = JSON.stringify(createRpcDocument(apiUrl, version))
  const sent = { '/openapi.json': sentAs(text), '/rpc.json': sentAs(rpc) }
  return { apiUrl, document: JSON.parse(text), rpc: JSON.parse(rpc), sent }
}

function sentAs(text: string): Sent {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  return { bytes: Buffer.from(text), etag }
}
