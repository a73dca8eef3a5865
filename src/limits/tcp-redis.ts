/** Any Redis over one TCP connection, which is kept. */
import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { connectionMs, type RedisClient } from './redis-client.ts'

const maxPauseMs = 1_000

/** Plain Redis refuses flags that only Upstash knows. */
const upstashFlags = /^#!lua flags=allow-key-locking\n/

/** Connects to `url`; where that fails the client is returned too, rejects every call, and goes on trying. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectionMs,
    // Reconnects when a connection is open but dead.
    socketTimeout: connectionMs,
    // What can't be asked now is decided here instead, so nothing is kept for later.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(times * 100, maxPauseMs),
  })
  // Whoever made a call learns of it there.
  client.on('error', () => {})
  await client.connect().catch(() => {})

  /** From the digest that a caller knows a script by to that of the script that Redis was given. */
  const digests = new Map<string, string>()
  return {
    async evalsha(sha1, keys, args) {
      const digest = digests.get(sha1)
      if (digest === undefined) throw new Error('NOSCRIPT: it was not sent yet.')
      return client.evalsha(digest, keys.length, ...keys, ...args.map(String))
    },
    async eval(script, keys, args) {
      const plain = script.replace(upstashFlags, '')
      digests.set(sha1Of(script), sha1Of(plain))
      return client.eval(plain, keys.length, ...keys, ...args.map(String))
    },
    async timeMs() {
      const [seconds, microseconds] = await client.time()
      return Number(seconds) * 1_000 + Number(microseconds) / 1_000
    },
    close: () => client.disconnect(),
  }
}

function sha1Of(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
