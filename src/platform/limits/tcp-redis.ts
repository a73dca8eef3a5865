/** Redis over one persistent TCP connection. */
import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { connectionMs, type RedisClient } from './redis-client.ts'

const maxPauseMs = 1_000

/** Plain Redis refuses flags of Upstash's scripts. */
const upstashFlags = /^#!lua flags=allow-key-locking\n/

/** Connects to `url`; on failure the client is returned too, rejects every call, and keeps reconnecting. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectionMs,
    // Reconnects when a connection is open but dead.
    socketTimeout: connectionMs,
    // Calls that can't be sent now fail, so nothing is queued.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(times * 100, maxPauseMs),
  })
  // Each caller gets the error of its call.
  client.on('error', () => {})
  await client.connect().catch(() => {})

  /** Maps the digest by which callers know a script to that of the script loaded into Redis. */
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
