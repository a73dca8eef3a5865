/** A forge with one repository: git's own `http-backend` over HTTPS, which misbehaves as tests say. */
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { newCertificate } from './certificate.ts'
import { freePort } from './ports.ts'
import { runApart } from './run-apart.ts'
import { type WorkTree, workTreeIn } from './work-tree.ts'

type Request = { method: string; path: string; authorization: string | undefined }

/** A request to the forge's API, with its JSON. */
export type ApiRequest = Request & { body: unknown }

/** What tests set to have the forge answer otherwise. */
type Switches = {
  /** Without it in the header `Authorization` the answer is 401, as forges answer. */
  credentials?: string
  status?: number
  /** The redirect to it is answered. */
  location?: string
  /** The path at which the repository is instead. */
  movedTo?: string
  /** Only the tips of branches are given out, over version 0 of the protocol. */
  tipsOnly?: boolean
  /** A fetch ends after so many bytes. */
  cutAt?: number
  /** The response to a request below `/api/`. */
  api?: (request: ApiRequest) => { status: number; body: unknown }
  /** Called for each request, whose answer waits for it. */
  before?: (request: Request) => Promise<void> | void
}

export type Forge = {
  /** A name that no resolver knows; it leads to `address` where tests say so. */
  host: string
  port: number
  address: string
  /** Of the repository. */
  url: string
  /** The certificate to trust, as PEM text. */
  ca: string
  requests: Request[]
  switches: Switches
  tree: WorkTree
  /** Commits files on a branch, which then is the present one; resolves to the commit. */
  commit(files: Record<string, string | Buffer | undefined>, branch?: string): Promise<string>
  close(): Promise<void>
}

const host = 'forge.example.com'
const repository = '/team/site.git'

/** Starts one, whose repository has ids of this format; close it in the end. */
export async function startForge(format = 'sha1'): Promise<Forge> {
  const { cert, key } = await newCertificate(host)
  const port = Number(await freePort())
  const tree = workTreeIn(await mkdtemp(join(inject('directory'), 'forge-')))
  await tree.git('init', '--quiet', `--object-format=${format}`)
  await tree.git('commit', '--quiet', '--allow-empty', '--message', 'First')
  const forge: Forge = {
    host,
    port,
    address: '127.0.0.1',
    url: `https://${host}:${port}${repository}`,
    ca: cert,
    requests: [],
    switches: {},
    tree,
    async commit(files, branch = 'main') {
      await tree.git('checkout', '--quiet', '-B', branch)
      return tree.commit(files)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer({ cert, key }, (request, response) => {
    answer(forge, request, response).catch(() => response.destroy())
  })
  server.listen(port, forge.address)
  await once(server, 'listening')
  return forge
}

async function answer(forge: Forge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request
  const seen = { method, path: url, authorization: headers.authorization }
  forge.requests.push(seen)
  const { credentials, status, location, before, api } = forge.switches
  await before?.(seen)
  if (api && url.startsWith('/api/')) {
    const sent = await text(request)
    const made = api({ ...seen, body: sent === '' ? undefined : JSON.parse(sent) })
    response.writeHead(made.status, { 'content-type': 'application/json' }).end(JSON.stringify(made.body))
    return
  }
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  if (location !== undefined) response.writeHead(301, { location }).end()
  else if (status !== undefined) response.writeHead(status).end()
  else if (wanted !== undefined && headers.authorization !== wanted)
    response.writeHead(401, { 'www-authenticate': 'Basic realm="forge"' }).end()
  else if (!url.startsWith(`${pathOf(forge)}/`)) response.writeHead(404).end()
  else await backend(forge, request, response)
}

function pathOf({ switches }: Pick<Forge, 'switches'>): string {
  return switches.movedTo ?? repository
}

/** As a program of CGI (RFC 3875). */
async function backend(
  { tree, switches }: Forge,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = '', headers } = request
  const repositoryAt = pathOf({ switches })
  const [path = '', query = ''] = url.split('?')
  const { ended, kill } = runApart({
    command: 'git',
    args: ['http-backend'],
    input: await buffer(request),
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: tree.directory,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path.replace(repositoryAt, '/.git'),
      QUERY_STRING: query,
      REQUEST_METHOD: method,
      CONTENT_TYPE: headers['content-type'],
      HTTP_CONTENT_ENCODING: headers['content-encoding'],
      ...(switches.tipsOnly ? {} : { GIT_PROTOCOL: String(headers['git-protocol'] ?? '') }),
    },
  })
  response.on('close', kill)
  const { stdout: output } = await ended
  const end = output.indexOf('\r\n\r\n')
  const lines = output.subarray(0, end).toString().split('\r\n')
  for (const [name = '', value = ''] of lines.map((line) => line.split(': ')))
    if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
    else response.setHeader(name, value)
  const body = output.subarray(end + 4)
  if (switches.cutAt === undefined || method === 'GET') response.end(body)
  else response.write(body.subarray(0, switches.cutAt), () => response.destroy())
}
