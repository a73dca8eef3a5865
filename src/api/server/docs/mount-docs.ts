/** Serves the documentation below `/docs`, and the files about it that programs look for at the root. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { limitAddress } from '../caller/limit-requests.ts'
import { countAs } from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { matchesEtag } from '../http/etag.ts'
import { html } from '../pages/html.ts'
import { isolation } from '../pages/isolation.ts'
import { headersWith, sendPage } from '../pages/page.ts'
import { pageScript } from './page-script.ts'
import { type Docs, renderDocs } from './pages.ts'
import { maxQueryLength } from './passages.ts'
import { searchPath } from './search-page.ts'

type Kept = { text: string; etag: string; headers: Record<string, string> }

type Made = { kept: Map<string, Kept>; search: Docs['search'] }

/** The path below `/docs/`. */
const restSchema = z.object({ '*': z.string().optional() })

const querySchema = z.object({
  q: z
    .string()
    .transform((text) => text.slice(0, maxQueryLength))
    .catch(''),
})

/** At the root. */
const rootPaths = ['/robots.txt', '/sitemap.xml', '/llms.txt', '/favicon.ico']

const pageHeaders = headersWith(pageScript)

type Described = { apiUrl: string; document: unknown; rpc: unknown }

/**
 * Adds the pages; they need no credential. `describe` returns the API's address and its documents.
 * Searching, unlike what is kept, draws from the address's rate limit.
 */
export function mountDocs(
  app: FastifyInstance,
  { limits, services }: Pick<ServerDeps, 'limits' | 'services'>,
  describe: () => Described,
): void {
  const onRequest = countAs('docs')
  const limiting = { limits, observe: services.observe }
  let made: Made | undefined
  // Not before the server listens: the pages contain its address.
  const docs = () => {
    made ??= makeDocs(describe())
    return made
  }

  app.get('/docs/', { onRequest }, async (_request, reply) => reply.redirect('/docs', 308))
  for (const url of ['/docs', '/docs/*', ...rootPaths]) {
    app.get(url, { onRequest }, async (request, reply) => {
      const kept = docs().kept.get(pathOf(url, request.params))
      if (kept) return send(kept, request, reply)
      return sendPage(reply, 404, 'Not found', html`<p><a href="/docs">All pages</a></p>`)
    })
  }
  app.get(
    searchPath,
    {
      onRequest: [onRequest, (request, reply, done) => limitAddress(limiting, { request, reply }, done)],
    },
    async (request, reply) => {
      reply.headers({ ...pageHeaders, 'cache-control': 'no-store' })
      return reply.send(docs().search(querySchema.parse(request.query).q))
    },
  )
}

function send({ text, etag, headers }: Kept, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ ...headers, etag, 'cache-control': 'no-cache' })
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.send(text)
}

/** The path that the router has matched by `url`, decoded. */
function pathOf(url: string, params: unknown): string {
  const { '*': rest } = restSchema.parse(params)
  return rest === undefined ? url : `/docs/${rest}`
}

function makeDocs({ apiUrl, document, rpc }: Described): Made {
  const { pages, files, search } = renderDocs(apiUrl, document, rpc)
  const kept = new Map([
    ...[...pages].map(([path, text]) => [path, keep(text, pageHeaders)] as const),
    ...[...files].map(
      ([path, { type, text }]) => [path, keep(text, { 'content-type': type, ...isolation })] as const,
    ),
  ])
  return { kept, search }
}

function keep(text: string, headers: Record<string, string>): Kept {
  return { text, headers, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}
