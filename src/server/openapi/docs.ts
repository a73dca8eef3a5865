/** Serves the OpenAPI document and an interactive reference, all from this origin. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { projectFileSchema } from '../../routers/project-file.ts'
import { version } from '../../version.ts'
import type { ServerDeps } from '../deps.ts'
import { countAs } from '../request-state.ts'
import { createOpenApiDocument } from './document.ts'

/** `npm run build` puts it there. */
const explorerFile = new URL('../../../dist/assets/openapi-explorer.min.js', import.meta.url)

const styles = 'body{margin:0}openapi-explorer{display:block;height:100vh}'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc API</title>
<style>${styles}</style>
<script type="module" src="/docs/openapi-explorer.min.js"></script>
</head>
<body>
<openapi-explorer spec-url="/openapi.json" hide-server-selection="true" primary-color="#2457d6"></openapi-explorer>
</body>
</html>
`

/** Everything stays on this origin: scripts, styles and requests. The explorer adds inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Adds `/openapi.json`, `/svc.schema.json` and `/docs`; they need no credential. */
export function mountDocs(app: FastifyInstance, { services }: ServerDeps): void {
  const onRequest = countAs('docs')
  let made: { document: string; etag: string } | undefined

  app.get('/openapi.json', { onRequest }, async (request, reply) => {
    // Not before the server listens: the document contains its address.
    made ??= makeDocument(services.apiUrl)
    const { document, etag } = made
    reply.headers({ etag, 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' })
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return document
  })

  app.get('/svc.schema.json', { onRequest }, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'application/schema+json; charset=utf-8',
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=3600',
      })
      .send(projectFileSchema(`${services.apiUrl}/svc.schema.json`)),
  )

  app.get('/docs', { onRequest }, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy,
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      .send(page),
  )

  app.get('/docs/openapi-explorer.min.js', { onRequest }, async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(await readFile(explorerFile)),
  )
}

function makeDocument(apiUrl: string): { document: string; etag: string } {
  const document = JSON.stringify(createOpenApiDocument(apiUrl, version))
  return { document, etag: `"${createHash('sha256').update(document).digest('base64url')}"` }
}

/** Whether one of the tags is `etag`, by weak comparison (RFC 9110, section 13.1.2), since compressing proxies weaken it. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
