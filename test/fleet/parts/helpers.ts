/** Processes of the harness itself, which take requests one at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { within } from '../../../src/lib/async/within.ts'
import type { AttackerRequest } from './attacker-process.ts'
import type { ProxyRequest } from './proxy-process.ts'
import type { S3Fault } from './s3-process.ts'

const s3AddressSchema = z.strictObject({
  endpoint: z.string(),
  region: z.string(),
  bucket: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
})

export type S3 = {
  pid: number
  address: z.infer<typeof s3AddressSchema>
  fail(fault: S3Fault): Promise<void>
  close(): void
}

/** Starts the S3 service. */
export async function startS3Process(): Promise<S3> {
  const child = startHelper('s3-process')
  const address = s3AddressSchema.parse(await reply(child))
  return {
    pid: child.pid ?? 0,
    address,
    fail: async (fault) => void (await requestOf(child, fault)),
    close: () => void child.kill('SIGKILL'),
  }
}

const replyMs = 10_000

/** A proxy to a port. */
export type FleetProxy = {
  port: number
  cut(): Promise<void>
  restore(): Promise<void>
  delay(ms: number): Promise<void>
}

export type Proxies = {
  pid: number
  /** One to `port`, on the port `at`. */
  start(port: number, at: number): Promise<FleetProxy>
  close(): void
}

/** Starts the process of proxies, which has none yet. */
export function startProxies(): Proxies {
  const child = startHelper('proxy-process')
  const send = (message: ProxyRequest) => requestOf(child, message)
  return {
    pid: child.pid ?? 0,
    async start(port, at) {
      const proxy = z.int().parse(await send({ do: 'start', port, at }))
      return {
        port: proxy,
        cut: async () => void (await send({ do: 'cut', proxy })),
        restore: async () => void (await send({ do: 'restore', proxy })),
        delay: async (ms) => void (await send({ do: 'delay', proxy, ms })),
      }
    },
    close: () => void child.kill('SIGKILL'),
  }
}

/** Starts one. Ctrl-C reaches the harness alone. When that dies, its helpers notice. */
export function startHelper(name: string): ChildProcess {
  return fork(new URL(`parts/${name}.mjs`, import.meta.url), { detached: true })
}

/** Its reply to a message. @throws when the child ends instead of replying, or takes too long. */
export async function requestOf(
  child: ChildProcess,
  message: string | ProxyRequest | AttackerRequest,
  maxMs = replyMs,
): Promise<unknown> {
  child.send(message)
  return within(maxMs, reply(child), () => {
    throw new Error(`A helper of the fleet did not reply to ${JSON.stringify(message).slice(0, 200)}.`)
  })
}

async function reply(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const ended = once(child, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`A helper of the fleet ended with code ${code}.`)
  })
  ended.catch(() => {})
  const [message] = await Promise.race([once(child, 'message', { signal: over.signal }), ended])
  over.abort()
  return message
}
