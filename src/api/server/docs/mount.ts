/** Serves the documentation below `/docs`: guides and the reference, without a script. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { matchesEtag } from '../http/etag.ts'
import { html } from '../pages/html.ts'
import { pageHeaders, sendPage } from '../pages/page.ts'
import { countAs } from '../request-state.ts'
import { renderDocs } from './pages.ts'

type Docs = Map<string, { page: string; etag: string }>

/** The path below `/docs/`. */
const restSchema = z.object({ '*': z.string().optional() })

/** Adds the pages; they need no credential. `describe` returns the API's address and its OpenAPI document. */
export function mountDocs(app: FastifyInstance, describe: () => { apiUrl: string; document: unknown }): void {
  const onRequest = countAs('docs')
  let made: Docs | undefined

  app.get('/docs/', { onRequest }, async (_request, reply) => reply.redirect('/docs', 308))
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, { onRequest }, async (request, reply) => {
      // Not before the server listens: the pages contain its address.
      made ??= makeDocs(describe())
      const found = made.get(pathOf(request.params))
      if (!found) return sendPage(reply, 404, 'Not found', html`<p><a href="/docs">All pages</a></p>`)
      const { page, etag } = found
      reply.headers({ ...pageHeaders, etag, 'cache-control': 'no-cache' })
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.send(page)
    })
  }
}

/** The path that the router has matched, decoded. */
function pathOf(params: unknown): string {
  const { '*': rest } = restSchema.parse(params)
  return rest === undefined ? '/docs' : `/docs/${rest}`
}

function makeDocs({ apiUrl, document }: { apiUrl: string; document: unknown }): Docs {
  return new Map(
    [...renderDocs(apiUrl, document)].map(([path, page]) => {
      const etag = `"${createHash('sha256').update(page).digest('base64url')}"`
      return [path, { page, etag }]
    }),
  )
}
