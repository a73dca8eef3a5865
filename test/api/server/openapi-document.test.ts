import { beforeAll, describe, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../../support/node.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, node.apiUrl), { headers })

describe('/openapi.json', () => {
  it('is the document, for anybody, at the address of this node', async () => {
    const response = await get('/openapi.json')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: node.apiUrl }] })
  })

  it('may be cached, and is revalidated by its ETag', async () => {
    const response = await get('/openapi.json')
    const etag = response.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/openapi.json', { 'if-none-match': tag })
      expect({ tag, status: again.status, text: await again.text() }).toEqual({ tag, status: 304, text: '' })
      expect(again.headers.get('etag')).toBe(etag)
    }
    for (const tag of ['"other"', etag.slice(0, -2), '']) {
      expect((await get('/openapi.json', { 'if-none-match': tag })).status).toBe(200)
    }
  })
})
