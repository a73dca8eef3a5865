/** The Redis for tests, if one is available; its buckets have names that no other test uses. */
import { Redis } from 'ioredis'

/** Its address, or undefined if none answers. */
export async function redisUrl(): Promise<string | undefined> {
  const url = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
  const client = new Redis(url, { lazyConnect: true, connectTimeout: 2_000, retryStrategy: () => null })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
    return url
  } catch {
    return undefined
  } finally {
    client.disconnect()
  }
}
