/** How every command fails without a key, without a server, and with something else in its place. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { sharedTlsNode } from '../support/tls.ts'
import { newHome } from './svc.ts'

const commands = [
  ['whoami'],
  ['status'],
  ['projects'],
  ['projects', 'show', 'web'],
  ['projects', 'add', 'web'],
  ['projects', 'rename', 'web', 'shop'],
  ['projects', 'rm', 'web', '--yes'],
  ['deployments'],
  ['deployments', 'show', 'dpl_1'],
  ['deployments', 'rm', 'dpl_1', '--yes'],
  ['promote', 'dpl_1'],
  ['rollback', '--project', 'web'],
  ['metrics', 'web'],
  ['open', 'web'],
  ['env', '--project', 'web'],
  ['env', 'set', 'A=b', '--project', 'web'],
  ['env', 'rm', 'A', '--project', 'web'],
  ['env', 'import', '--project', 'web'],
  ['keys'],
  ['keys', 'add', 'a'],
  ['keys', 'rm', 'key_1'],
]

const token = 'svc_secret'

it.each(commands)('svc %s %s %s: 3 when not logged in, 6 when the server is unreachable', async (...args) => {
  const { svc } = await newHome()
  // Nobody listens on port 1.
  const env = { SVC_URL: 'http://127.0.0.1:1' }
  const [stranger, away] = await Promise.all([
    svc(args, { env }),
    svc([...args, '--json'], { env: { ...env, SVC_TOKEN: token } }),
  ])
  expect(stranger).toEqual({
    code: 3,
    stdout: '',
    stderr: 'svc: You are not logged in to http://127.0.0.1:1: run `svc login`, or set SVC_TOKEN.\n',
  })
  expect({ ...away, stderr: JSON.parse(away.stderr) }).toEqual({
    code: 6,
    stdout: '',
    stderr: {
      reason: 'server_away',
      message:
        'No server responds at http://127.0.0.1:1. Start it, or set SVC_URL (or --url) to its address.',
    },
  })
})

/** The output of `svc projects` for a server that responds like this. */
async function runAgainst(answer: RequestListener) {
  const { svc } = await newHome()
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const outcome = await svc(['projects'], { env: { SVC_URL: url, SVC_TOKEN: token } })
  server.close()
  return { ...outcome, stderr: outcome.stderr.replaceAll(url, '<url>') }
}

const page =
  (status: number): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>')

const jsonOf =
  (status: number): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"no"}')

it.each<[string, RequestListener, number, string]>([
  [
    'a page',
    (_request, response) => response.setHeader('content-type', 'text/html').end('<h1>'),
    6,
    "svc: <url> answered 200 with a page that is no svc API's: is something in front of it? " +
      'Otherwise set SVC_URL (or --url) to the address of an svc API.\n',
  ],
  ['a challenge', page(403), 6, "svc: <url> answered 403 with a page that is no svc API's: is something"],
  ['no such page', page(404), 6, "svc: <url> answered 404 with a page that is no svc API's: is something"],
  [
    'a proxy’s limit of bodies',
    page(413),
    6,
    'svc: A proxy in front of <url> refuses the request (status 413). Raise its limit to that of the ' +
      'server, SVC_MAX_FILE_BYTES: client_max_body_size in nginx.\n',
  ],
  [
    'a proxy’s JSON',
    jsonOf(403),
    1,
    "svc: The server answered 403 with JSON that is no svc API's: is something",
  ],
  [
    'another JSON',
    (_request, response) => response.setHeader('content-type', 'application/json').end('{"a":1}'),
    1,
    'svc: The server sent a response that this version does not understand: ',
  ],
  [
    'a cut connection',
    (request) => request.socket.destroy(),
    6,
    'svc: No server responds at <url>. Start it, or set SVC_URL (or --url) to its address.\n',
  ],
  [
    'a redirect to another address',
    (_request, response) => response.writeHead(301, { location: 'https://svc.example.com/trpc' }).end(),
    6,
    'svc: <url> redirects: set SVC_URL (or --url) to https://svc.example.com.\n',
  ],
])('describes what is wrong with a server that responds with %s', async (_what, answer, code, message) => {
  const outcome = await runAgainst(answer)
  expect(outcome).toMatchObject({ code, stdout: '' })
  expect(outcome.stderr).toContain(message)
  expect(outcome.stderr).not.toContain(token)
})

it.each([502, 503, 504])('asks again after a %i, and in the end says so', async (status) => {
  let count = 0
  const { code, stderr } = await runAgainst((request, response) => {
    count += 1
    page(status)(request, response)
  })
  expect({ code, count }).toEqual({ code: 6, count: 4 })
  const why = status === 503 ? '' : 'a proxy in front of it got no answer, '
  expect(stderr).toContain(`svc: <url> is unavailable (${why}status ${status}). Try again later.\n`)
})

it('removes control characters from a server’s text', async () => {
  const message = 'a\u001b[2Jb\u202ec'
  const data = {
    code: 'INTERNAL_SERVER_ERROR',
    reason: 'internal_error',
    request_id: 'req_1\u0007\u009b',
    message,
  }
  const { stderr, code } = await runAgainst((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.writeHead(500).end(JSON.stringify([{ error: { message, code: -32603, data } }]))
  })
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'svc: abc (req_1)\n' })
})

it('ends with 130 on Ctrl-C while the server makes it wait', async () => {
  const { svc } = await newHome()
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = { SVC_URL: `http://127.0.0.1:${port}`, SVC_TOKEN: token }
  const running = svc(['projects'], {
    env,
    started: (child) => server.once('request', () => child.kill('SIGINT')),
  })
  expect(await running).toMatchObject({ code: 130, stdout: '' })
  server.closeAllConnections()
  server.close()
})

it('6 for a certificate that this machine does not trust, with how to trust it', async () => {
  const { svc } = await newHome()
  const { secure } = await sharedTlsNode()
  const { code, stderr } = await svc(['projects'], { env: { SVC_URL: secure.apiUrl, SVC_TOKEN: token } })
  expect({ code, stderr: stderr.replace(secure.apiUrl, '<url>') }).toEqual({
    code: 6,
    stderr:
      'svc: The certificate of <url> is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). ' +
      'To trust it, set NODE_EXTRA_CA_CERTS to its file.\n',
  })
})
