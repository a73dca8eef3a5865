import { beforeAll, describe, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../support/node.ts'

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

  it('may be kept, and is asked for again by its tag', async () => {
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

describe('/docs', () => {
  it('is a page that loads nothing from elsewhere', async () => {
    const response = await get('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await response.text()
    expect(page).toContain('spec-url="/openapi.json"')
    expect(page).not.toMatch(/https?:|\/\/[a-z]/i)
    const loaded = [...page.matchAll(/(?:src|href|spec-url)="([^"]*)"/g)].map(([, address]) => address)
    expect(loaded).toEqual(['/docs/openapi-explorer.min.js', '/openapi.json'])
  })

  it('lets the browser load nothing from elsewhere either', async () => {
    const { headers } = await get('/docs')
    const policy = new Map(
      headers
        .get('content-security-policy')
        ?.split('; ')
        .map((each): [string, string] => [each.split(' ')[0] ?? '', each.slice(each.indexOf(' ') + 1)]),
    )
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('connect-src')).toBe("'self'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect([...policy.values()].join(' ')).not.toMatch(/\*|https?:|unsafe-eval/)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('finds its script here', async () => {
    const response = await get('/docs/openapi-explorer.min.js')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    expect((await response.text()).length).toBeGreaterThan(100_000)
  })
})
