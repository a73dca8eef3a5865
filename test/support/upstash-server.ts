/** A server that speaks Upstash's REST protocol in front of a plain Redis. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { Redis } from 'ioredis'
import { z } from 'zod'

export type UpstashServer = {
  url: string
  token: string
  /** How many HTTP requests it received. */
  requests(): number
  close(): Promise<void>
}

const argument = z.union([z.string(), z.number()]).transform(String)
const command = z.tuple([argument], argument)
const token = 'token-of-the-test'

/** Upstash has flags that plain Redis rejects, so scripts are kept here by the digest that clients know. */
const flags = /^#!lua flags=allow-key-locking\n/

export async function startUpstashServer(redisUrl: string): Promise<UpstashServer> {
  const redis = new Redis(redisUrl)
  const scripts = new Map<string, string>()
  let requests = 0

  async function run([name, ...args]: [string, ...string[]]): Promise<unknown> {
    const [script = '', ...rest] = args
    if (name.toLowerCase() === 'eval') {
      scripts.set(createHash('sha1').update(script).digest('hex'), script.replace(flags, ''))
      return redis.call('eval', script.replace(flags, ''), ...rest)
    }
    if (name.toLowerCase() !== 'evalsha') return redis.call(name, ...args)
    const known = scripts.get(script)
    if (known === undefined) throw new Error('NOSCRIPT No matching script. Please use EVAL.')
    return redis.call('eval', known, ...rest)
  }

  const answerTo = (sent: [string, ...string[]]) =>
    run(sent).then(
      (result) => ({ result: encode(result) }),
      (error: Error) => ({ error: error.message }),
    )

  const server = createServer(async (request, response) => {
    requests += 1
    const body = await json(request)
    const isAllowed = request.headers.authorization === `Bearer ${token}`
    const answer = !isAllowed
      ? { error: 'WRONGPASS invalid or missing auth token' }
      : request.url === '/pipeline'
        ? await Promise.all(z.array(command).parse(body).map(answerTo))
        : await answerTo(command.parse(body))
    const status = isAllowed ? ('error' in answer ? 400 : 200) : 401
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    requests: () => requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      redis.disconnect()
    },
  }
}

/** Strings are in base64, as clients request; arrays stay arrays. */
function encode(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(encode)
  return typeof result === 'string' ? Buffer.from(result).toString('base64') : result
}
