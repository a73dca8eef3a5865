/**
 * The packages that every node serves, so that a command or a client of its own version can be installed from
 * it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { countAs } from './caller/request-state.ts'
import { matchesEtag } from './http/etag.ts'

/** The archive is in memory, since it is small. */
type Archive = {
  /** The name under which it is installed. */
  name: string
  /** Where a node serves it, below its API's address. */
  path: string
  /** The digest of the archive, in hexadecimal. */
  sha256: string
  bytes: Buffer
}

let archives: Archive[] | undefined

/**
 * Reads what can be installed from a node: `npm install -g <API's address>/svc.tgz`, `npm install <API's
 * address>/client.tgz`.
 */
export function readPackages(): Archive[] {
  // Not when this module is loaded: the build runs the program before it makes them.
  archives ??= [
    readArchive('@svc-platform/cli', 'svc.tgz'),
    readArchive('@svc-platform/client', 'client.tgz'),
  ]
  return archives
}

/** `npm run build` puts it there. @throws where it didn't. */
function readArchive(name: string, file: string): Archive {
  const bytes = readFileSync(new URL(`../../../dist/${file}`, import.meta.url))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { name, path: `/${file}`, sha256, bytes }
}

/** Adds a path for each package; they need no credential. */
export function mountPackages(app: FastifyInstance): void {
  const onRequest = countAs('package')
  for (const { path, sha256, bytes } of readPackages()) {
    const etag = `"${sha256}"`
    app.get(path, { onRequest }, async (request, reply) => {
      reply.headers({
        etag,
        'cache-control': 'no-cache',
        'content-type': 'application/gzip',
        'x-content-type-options': 'nosniff',
      })
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return bytes
    })
  }
}
