/** The documentation as a browser sees it. */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { passkeyScriptPath, signInPath } from '../../../../src/platform/people/paths.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'

type Loaded = { path: string; status: number; headers: Headers; text: string }

let node: TestNode
/** Every page that is reachable by links from `/`, by path. */
let pages: Map<string, Loaded>

beforeAll(async () => {
  node = await sharedNode()
  pages = await crawl('/')
})

async function load(path: string): Promise<Loaded> {
  const response = await fetch(new URL(path, node.apiUrl))
  return { path, status: response.status, headers: response.headers, text: await response.text() }
}

async function crawl(start: string): Promise<Map<string, Loaded>> {
  const found = new Map<string, Loaded>()
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const page = await load(path)
    found.set(path, page)
    if (isHtml(page)) waiting.push(...linksOf(page).map(({ pathname }) => pathname))
  }
  return found
}

const isHtml = ({ headers }: Loaded) => headers.get('content-type') === 'text/html; charset=utf-8'

/** Its links within the site. */
function linksOf({ path, text }: Loaded): URL[] {
  return [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)]
    .map(([, place = '']) => new URL(place.replaceAll('&amp;', '&'), new URL(path, node.apiUrl)))
    .filter(({ origin }) => origin === node.apiUrl)
}

const docs = () => [...pages.values()].filter((each) => each.path.startsWith('/docs') && isHtml(each))
const page = (path: string) => pages.get(path)?.text ?? ''

describe('the documentation', () => {
  it('has every guide of docs, linked from its index', async () => {
    const names = (await readdir('docs')).map((file) => file.replace(/\.md$/, ''))
    const linked = linksOf(pages.get('/docs') ?? (await load('/docs'))).map(({ pathname }) => pathname)
    const guides = names.filter((name) => name !== 'dependencies').map((name) => `/docs/${name}`)
    expect(guides.filter((path) => !linked.includes(path))).toEqual([])
    expect(linked).toContain('/openapi.json')
    expect(linked).toContain('/docs/reference')
  })

  it('has no broken link, to a page or an anchor in it', () => {
    expect([...pages.values()].filter(({ status }) => status !== 200).map(({ path }) => path)).toEqual([])
    const broken = [...pages.values()]
      .filter(isHtml)
      .flatMap((from) => linksOf(from).map((link) => ({ from: from.path, link })))
      .filter(({ link }) => link.hash !== '' && !page(link.pathname).includes(`id="${link.hash.slice(1)}"`))
    expect(broken.map(({ from, link }) => `${from}: ${link.pathname}${link.hash}`)).toEqual([])
  })

  it('has no heading of a table without a word', () => {
    expect(
      docs()
        .filter(({ text }) => /<th[^>]*>\s*<\/th>/.test(text))
        .map(({ path }) => path),
    ).toEqual([])
  })

  it('has unique anchors on each page', () => {
    const repeated = docs().flatMap(({ path, text }) => {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}: ${id}`)
    })
    expect(repeated).toEqual([])
  })

  it('loads nothing from elsewhere, and runs no script but its own', () => {
    expect(docs().length).toBeGreaterThan(20)
    for (const { path, headers, text } of pages.values()) {
      if (!isHtml({ path, headers, text, status: 200 })) continue
      const policy = headers.get('content-security-policy') ?? ''
      const isDocs = path.startsWith('/docs')
      const scripts = isDocs ? "script-src 'sha256-…'; " : path === signInPath ? "script-src 'self'; " : ''
      expect({ path, policy: policy.replaceAll(/sha256-[\w+/=]+/g, 'sha256-…') }).toEqual({
        path,
        policy:
          `default-src 'none'; style-src 'sha256-…'; ${scripts}` +
          "img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      })
      const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(text) ?? []
      const digest = createHash('sha256').update(script).digest('base64')
      if (isDocs) expect(policy).toContain(`script-src 'sha256-${digest}'`)
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const others = text.replace(isDocs ? '<script>' : `<script src="${passkeyScriptPath}" defer>`, '')
      expect({ path, scripts: /<script|<img|<iframe|@import|url\(| on\w+="/.exec(others) }).toEqual({
        path,
        scripts: null,
      })
      const loaded = [...text.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, place = '']) => place)
      expect(loaded.filter((place) => !place.startsWith('data:'))).toEqual([])
    }
  })

  it('has a title of its own on each page, and marks the current page in the menu', () => {
    const titles = docs().map(({ text }) => /<h1>([^<]+)<\/h1>/.exec(text)?.[1])
    expect(new Set(titles).size).toBe(titles.length)
    for (const { path, text } of docs().filter((each) => each.path !== '/docs')) {
      expect(text).toContain(`<a href="${path}" aria-current="page">`)
    }
  })

  it('has commands with the URL of this node', () => {
    expect(page('/docs/deploying')).toContain(`curl ${node.apiUrl}/v1/deployments`)
    expect(docs().filter(({ text }) => text.includes('http://localhost:3000'))).toEqual([])
  })

  it('may be cached, and is revalidated by its ETag', async () => {
    const etag = pages.get('/docs/dns')?.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    const again = await fetch(`${node.apiUrl}/docs/dns`, { headers: { 'if-none-match': etag } })
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' })
  })

  it.each(['/docs/x', '/docs/a/b', '/docs/reference/x', '/docs/..%2f', '/docs/__proto__', '/docs/dns/'])(
    '404 for %s is a page',
    async (path) => {
      const missing = await load(path)
      expect(missing.status).toBe(404)
      expect(isHtml(missing)).toBe(true)
      expect(missing.text).toContain('<a href="/docs">All pages</a>')
    },
  )

  it('redirects /docs/ to /docs, and is read-only', async () => {
    expect((await fetch(`${node.apiUrl}/docs/`)).url).toBe(`${node.apiUrl}/docs`)
    expect((await fetch(`${node.apiUrl}/docs/dns`, { method: 'POST' })).status).toBe(405)
  })
})

describe('Markdown', () => {
  it('is there for every page, linked from it, with this node’s URL and links to Markdown', async () => {
    const found = docs().filter(({ path }) => path !== '/docs' && path !== '/docs/search')
    expect(found.length).toBeGreaterThan(30)
    for (const { path, text } of found) {
      expect(text).toContain(`<a href="${path}.md">This page as Markdown</a>`)
      const markdown = pages.get(`${path}.md`) ?? (await load(`${path}.md`))
      expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(markdown.headers.get('x-content-type-options')).toBe('nosniff')
      expect(markdown.text).toMatch(/^# .+\n/)
      expect(markdown.text).not.toContain('http://localhost:3000')
      expect(markdown.text).not.toMatch(/<!--/)
      const links = [...markdown.text.matchAll(/\]\((\/docs\/[^)#]*)/g)].map(([, place = '']) => place)
      for (const place of links) expect(pages.get(place)?.status ?? (await load(place)).status).toBe(200)
      expect(links.filter((place) => !place.endsWith('.md'))).toEqual([])
    }
  })
})

describe('the files at the root', () => {
  it.each([
    ['/robots.txt', 'text/plain; charset=utf-8', /^User-agent: \*\nAllow: \/docs\n[\s\S]*\nDisallow: \/\n/],
    ['/sitemap.xml', 'application/xml; charset=utf-8', /^<\?xml /],
    ['/llms.txt', 'text/markdown; charset=utf-8', /^# svc\n\n> /],
    ['/favicon.ico', 'image/svg+xml', /^<svg /],
  ])('%s is %s', async (path, type, text) => {
    const file = await load(path)
    expect({ status: file.status, type: file.headers.get('content-type') }).toEqual({ status: 200, type })
    expect(file.text).toMatch(text)
    expect(file.headers.get('etag')).toMatch(/^"[\w-]{43}"$/)
  })

  it.each(['/foo.txt', '/x.js', '/docs.txt', '/sitemap.xml.gz', '/docs/dns.txt'])(
    '%s is 404',
    async (path) => {
      expect((await load(path)).status).toBe(404)
    },
  )

  it('the sitemap has every page, and llms.txt every guide with a sentence', async () => {
    const [sitemap, llms] = await Promise.all(['/sitemap.xml', '/llms.txt'].map(load))
    const paths = docs().map(({ path }) => `${node.apiUrl}${path}`)
    const locations = [...(sitemap?.text ?? '').matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url)
    expect(locations.sort()).toEqual(paths.sort())
    const listed = [...(llms?.text ?? '').matchAll(/^- \[[^\]]+\]\((\S+)\): [^\n]+\.$/gm)].map(
      ([, url = '']) => url,
    )
    for (const url of listed) expect((await fetch(url)).status).toBe(200)
    const names = (await readdir('docs')).filter((name) => name !== 'dependencies.md')
    const guides = names.map((name) => `${node.apiUrl}/docs/${name}`)
    expect(guides.filter((url) => !listed.includes(url))).toEqual([])
    expect(listed).toContain(`${node.apiUrl}/openapi.json`)
    expect(llms?.text).toContain(`npm install -g ${node.apiUrl}/svc.tgz`)
  })
})

describe('the search', () => {
  const search = (query: string) => load(`/docs/search?q=${encodeURIComponent(query)}`)
  const hitsOf = ({ text }: Loaded) =>
    [...text.matchAll(/<li><a href="([^"]+)">[^<]+<\/a><div class="dim">/g)].map(([, place = '']) => place)

  it('has a field on every page, and leads to the section that has every word', async () => {
    for (const { text } of docs()) expect(text).toContain('<form role="search" action="/docs/search">')
    const found = await search('zip  CURL')
    expect(hitsOf(found)).toContain('/docs/deploying#with-a-zip')
    expect(found.text).toContain('name="q" value="zip  CURL"')
    expect(isHtml(found)).toBe(true)
  })

  it('finds operations by their path, and reasons', async () => {
    const promoting = hitsOf(await search('/v1/deployments/{deployment}/promote'))
    expect(promoting).toContain('/docs/reference/deployments#deployments-promote')
    expect(hitsOf(await search('sources_gone')).length).toBeGreaterThan(0)
  })

  it('every hit leads to a page and an anchor on it', async () => {
    const hits = hitsOf(await search('deployment'))
    expect(hits.length).toBe(30)
    for (const hit of hits) {
      const { pathname, hash } = new URL(hit, node.apiUrl)
      expect({ hit, is: hash === '' || page(pathname).includes(`id="${hash.slice(1)}"`) }).toEqual({
        hit,
        is: true,
      })
    }
  })

  it('of nothing, or of markup, is a page without hits', async () => {
    for (const query of ['', ' ', 'nowhereatall', '<script>alert(1)</script>', 'x'.repeat(5_000)]) {
      const found = await search(query)
      expect({ query, status: found.status, hits: hitsOf(found) }).toEqual({ query, status: 200, hits: [] })
      expect(found.text.match(/<script>/g)).toHaveLength(1)
      expect(found.text).not.toContain('alert(1)</script>')
    }
  })

  it('draws from the rate limit of the address', async () => {
    expect((await search('dns')).headers.get('ratelimit-policy')).toMatch(/^"anonymous"/)
  })
})

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        tags: z.array(z.string()),
        requestBody: z.object({ content: z.record(z.string(), z.unknown()) }).optional(),
      }),
    ),
  ),
  webhooks: z.record(
    z.string(),
    z.object({ post: z.object({ operationId: z.string(), tags: z.array(z.string()) }) }),
  ),
  components: z.object({ examples: z.record(z.string(), z.unknown()) }),
})

describe('the reference', () => {
  const document = async () => documentSchema.parse(await (await fetch(`${node.apiUrl}/openapi.json`)).json())
  const reference = () => docs().filter(({ path }) => path.startsWith('/docs/reference/'))

  it('has every operation once, and a link to it', async () => {
    const { paths } = await document()
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, requestBody }]) => {
        const mediaTypes = Object.keys(requestBody?.content ?? {})
        return { path, method, operationId, mediaTypes }
      }),
    )
    expect(operations.length).toBeGreaterThanOrEqual(34)
    expect(operations.flatMap(({ mediaTypes }) => mediaTypes)).toContain('application/zip')
    for (const { path, method, operationId, mediaTypes } of operations) {
      const on = reference().filter(({ text }) => text.includes(`<section id="${operationId}">`))
      expect({ operationId, pages: on.length }).toEqual({ operationId, pages: 1 })
      expect(on[0]?.text).toContain(`<b>${method.toUpperCase()}</b> ${path}</code>`)
      const others = mediaTypes.filter((name) => name !== 'application/json')
      for (const name of others) expect(on[0]?.text).toContain(`or as <code>${name}</code>`)
      expect(page('/docs/reference')).toContain(`href="${on[0]?.path}#${operationId}"`)
    }
  })

  it('has every event under Webhooks, with its fields and an example', async () => {
    const { webhooks } = await document()
    const text = page('/docs/reference/webhooks')
    for (const [type, { post }] of Object.entries(webhooks)) {
      expect(post.tags).toEqual(['Webhooks'])
      expect(text).toContain(
        `<section id="${post.operationId}" class="event">\n<h3><code>${type}</code></h3>`,
      )
      expect(text).toContain(`&quot;type&quot;: &quot;${type}&quot;`)
    }
  })

  it('has every reason for a refusal, with its status', async () => {
    const { components } = await document()
    for (const reason of Object.keys(components.examples)) {
      const row = new RegExp(`<tr><td>[45]\\d\\d</td><td><code>${reason}</code></td><td>[^<]`)
      expect({ reason, row: row.test(page('/docs/reference')) }).toEqual({ reason, row: true })
    }
  })

  it('reads as sentences, and its examples as real values', () => {
    for (const { path, text } of reference()) {
      const prose = text.replaceAll(/<[^>]+>/g, '')
      expect({ path, noise: /undefined|\[object|anyOf|null or|\$ref|9007199254740991/.exec(prose) }).toEqual({
        path,
        noise: null,
      })
      const commands = [...text.matchAll(/<code>(curl [^<]*)<\/code>/g)].map(([, command = '']) => command)
      expect(commands.length).toBeGreaterThan(0)
      expect(commands.filter((command) => /\/\{\w+\}/.test(command))).toEqual([])
    }
    expect(page('/docs/reference/deployments')).toContain(
      '<code>live_since_ms</code> <span class="dim">integer or null',
    )
  })
})
