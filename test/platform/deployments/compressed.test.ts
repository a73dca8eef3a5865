/** Compression from end to end: a node with all its roles. */
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { deploy } from './steps.ts'

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode({ SVC_ROLES: 'api,edge,worker' })
})

afterAll(() => node.stop())

async function visit(url: string): Promise<{ coding: string | undefined; text: string }> {
  const { hostname, port } = new URL(url)
  const headers = { host: `${hostname}:${port}`, 'accept-encoding': 'gzip, deflate, br' }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, headers, agent: false }, async (response) => {
      const coding = response.headers['content-encoding']
      const bytes = await buffer(response)
      resolve({ coding, text: (coding === 'br' ? brotliDecompressSync(bytes) : bytes).toString() })
    })
    sent.on('error', reject).end()
  })
}

it('a new deployment is served at once, and compressed within seconds, at both its hosts', async () => {
  const content = '<p>This is the page of a site.</p>\n'.repeat(50)
  const team = await newTeam(node)
  const { url, aliases } = await deploy(team, {
    target: 'production',
    files: [{ path: 'index.html', content }],
  })
  expect((await visit(url)).text).toBe(content)
  for (const address of [url, ...aliases]) {
    await expect.poll(() => visit(address), { timeout: 10_000 }).toEqual({ coding: 'br', text: content })
  }
  expect(aliases).toHaveLength(1)
  expect(node.logged.join('')).not.toContain('failed')
})
