/** Something to visit behind a proxy. */
import postgres from 'postgres'
import { expect } from 'vitest'
import type { NodePair } from '../node-pair.ts'

/**
 * A site at a name below the sites' domain, and at a domain that counts as proven; each of `pages` says its
 * own path.
 */
export async function publishSite(
  { addresses, ports, key, databaseUrl }: NodePair,
  pages: string[] = [],
): Promise<void> {
  const call = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`http://${addresses[0]}:${ports.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status, await response.text()).toBe(200)
  }
  await call('PUT', '/v1/projects/web', {})
  const files = [{ path: 'index.html', content: 'hello' }, ...pages.map((path) => ({ path, content: path }))]
  await call('POST', '/v1/deployments', { project: 'web', target: 'production', files })
  await call('PUT', '/v1/domains/shop.test.example', { project: 'web' })
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`update domains set proven_ms = ${Date.now()}, verified_ms = ${Date.now()}`
  await sql.end()
}
