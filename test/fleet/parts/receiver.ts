/** The receiver of all webhooks: it verifies each request and records it. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import type { Recorder } from '../history/recorder.ts'

export type Receiver = {
  /** Its address, below which each team has its slug. */
  url: string
  /** From now on requests for the team must be signed with this secret. */
  expect(team: string, secret: string): void
  /** From now on the first request with an event is refused at times, so that it is repeated. */
  refuseSome(refuses: boolean): void
  close(): void
}

const bodySchema = z.object({
  id: z.string(),
  type: z.string(),
  team: z.string(),
  data: z.record(z.string(), z.unknown()),
})
const subjectSchema = z.object({ id: z.string().optional() })

/** Long enough that a worker that is killed is often waiting for a response. */
const slowestMs = 250

/** One in so many events is refused first. */
const refusedShare = 0.1

export async function startReceiver(recorder: Recorder): Promise<Receiver> {
  const secrets = new Map<string, string>()
  const refused = new Set<string>()
  let refuses = false

  async function receive(request: IncomingMessage): Promise<number> {
    const team = request.url?.split('/').at(-1) ?? ''
    const body = await text(request)
    await sleep(Math.random() * slowestMs)
    const { id, type, team: named, data } = bodySchema.parse(JSON.parse(body))
    if (refuses && !refused.has(id) && Math.random() < refusedShare) {
      refused.add(id)
      return 500
    }
    const about = subjectSchema.safeParse(data[type.split('.')[0] ?? '']).data?.id ?? ''
    const problem =
      signatureProblem(secrets.get(team), body, request) ?? (named === team ? undefined : `it is ${named}'s`)
    recorder.write({ type: 'event', team, id, event: type, about, ...(problem !== undefined && { problem }) })
    return 200
  }

  const server = createServer((request, response) => {
    receive(request)
      .catch(() => 400)
      .then((status) => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    expect: (team, secret) => void secrets.set(team, secret),
    refuseSome(some) {
      refuses = some
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** By the package of Standard Webhooks, as receivers do. */
function signatureProblem(
  secret: string | undefined,
  body: string,
  { headers }: IncomingMessage,
): string | undefined {
  // The ping of a new webhook may arrive before the response that has its secret.
  if (secret === undefined) return undefined
  try {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    new Webhook(secret).verify(body, Object.fromEntries(names.map((name) => [name, String(headers[name])])))
    return undefined
  } catch (error) {
    return `the signature is wrong: ${error instanceof Error ? error.message : error}`
  }
}
