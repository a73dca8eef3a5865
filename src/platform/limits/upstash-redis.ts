/** Redis over Upstash's REST protocol. */
import { Redis } from '@upstash/redis'
import { connectionMs, type RedisClient } from './redis-client.ts'

/** A client of the database at `url` with `token`; on failure it is returned too, and rejects every call. */
export async function connectUpstash(url: string, token: string): Promise<RedisClient> {
  const client = new Redis({
    url,
    token,
    // Callers have decided by then; a second attempt would come too late.
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(connectionMs),
    enableTelemetry: false,
  })
  // The first call takes longer than those on an open connection.
  await client.ping().catch(() => {})
  return {
    evalsha: (sha1, keys, args) => client.evalsha(sha1, keys, args),
    eval: (script, keys, args) => client.eval(script, keys, args),
    async timeMs() {
      const [seconds, microseconds] = await client.time()
      return Number(seconds) * 1_000 + Number(microseconds) / 1_000
    },
    close: () => {},
  }
}
