/** The program that is measured, started as anyone starts it, and the few calls that fill it. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readUntil, serverCores, start } from './children.mjs'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/**
 * Starts the program on an empty database, or with the key of its first start on one that is in use, with
 * these settings besides; what it logs goes to a file, as in production.
 * @param {string} directory
 * @param {string} databaseUrl
 * @param {Record<string, string>} [settings]
 * @param {{ firstAuthorization?: string, cores?: string }} [options]
 */
export async function startSvc(directory, databaseUrl, settings = {}, options = {}) {
  const { firstAuthorization, cores = serverCores } = options
  mkdirSync(directory, { recursive: true })
  const child = start(cores, [process.execPath, program], {
    // Away from any .env file.
    cwd: directory,
    log: openSync(join(directory, 'log'), 'a'),
    env: {
      DATABASE_URL: databaseUrl,
      SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      SVC_DATA_DIR: join(directory, 'data'),
      SVC_PORT: '0',
      SVC_EDGE_PORT: '0',
      SVC_INTERNAL_PORT: '0',
      // So that the limiter works but never refuses.
      SVC_RATE_FREE: '100000/100000',
      SVC_RATE_ANONYMOUS: '100000/100000',
      ...settings,
    },
  })
  const greeting = await readUntil(child, /svc is ready.*\n/)
  const [, port] = /API: http:\/\/localhost:(\d+)/.exec(greeting) ?? []
  const [, edgePort] = /<name>\.localhost:(\d+)/.exec(greeting) ?? []
  const [token] = /svc_\w+/.exec(greeting) ?? []
  const [link] = /http\S+\/auth\/link\?\S+/.exec(greeting) ?? []
  const apiUrl = `http://127.0.0.1:${port}`
  const authorization = firstAuthorization ?? `Bearer ${token}`

  async function call(method, path, body, headers = { authorization }) {
    const response = await fetch(apiUrl + path, {
      method,
      // Some benchmarks block this process for longer than the server keeps a connection.
      headers: { ...headers, connection: 'close', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { ok: response.ok, answer: await response.json() }
  }

  /** Makes `bytes` the only file of a project's production. */
  async function deploy(project, path, bytes) {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const files = [{ path, sha256, size: bytes.length }]
    const create = () => call('POST', '/v1/deployments', { project, target: 'production', files })
    const refused = await create()
    for (const { upload_url } of refused.answer.missing ?? []) {
      await fetch(upload_url, { method: 'PUT', body: bytes })
    }
    const { ok, answer } = await create()
    if (!ok) throw new Error(`The deployment failed: ${answer.message}`)
  }

  return {
    child,
    apiUrl,
    apiPort: Number(port),
    edgePort: Number(edgePort),
    authorization,
    call,
    deploy,
    /** Signs the first person in; undefined after the first start. */
    link,
  }
}
