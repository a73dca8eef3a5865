/**
 * Applications of frameworks, deployed by the command from their sources: the platform installs, builds,
 * tries and runs them.
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { chromiumPath } from '../../../dashboard/test/browser/find-chromium.ts'
import { startBrowser, visitPage } from './browser.ts'
import { frameworkApplications } from './frameworks/all.ts'
import { next, nextElsewhere } from './frameworks/next.ts'
import { mayChooseUser, nobody, type Platform, startPlatform } from './platform.ts'
import { send } from './visitor.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const platforms = [
  { on: 'Node.js 24', version: '24', applications: frameworkApplications },
  { on: 'Node.js 20, with its output elsewhere', version: '20', applications: [nextElsewhere] },
  ...(mayChooseUser
    ? [{ on: 'Node.js 24 as nobody', version: '24', uid: nobody, applications: [next] }]
    : []),
]

describe.each(platforms)('on $on', ({ version, uid, applications }) => {
  let platform: Platform

  beforeAll(async () => {
    platform = await startPlatform(version, { uid })
  })
  afterAll(() => platform.program.end('SIGTERM'))

  describe.each(applications)('$name', (application) => {
    const { name, form, assets, hidden, isPlain = false } = application
    let url: string

    beforeAll(async () => {
      const deployed = await platform.deploy(application)
      expect(deployed.made).toMatchObject({ live: true, state: 'ready', server: { state: 'stopped' } })
      url = deployed.url
    })

    it('renders a page', async () => {
      const page = await send(url, '/')
      expect(page).toMatchObject({ status: 200, text: expect.stringContaining(`Made by ${name}`) })
    })

    it('has its files with a hash in their names kept for a year', async () => {
      const { text } = await send(url, '/')
      const path = assets.exec(text)?.[0] ?? 'none'
      const asset = await send(url, new URL(path, url).pathname)
      expect(asset.status).toBe(200)
      expect(asset.headers['cache-control']).toContain('immutable')
    })

    it('takes a form, and sets a cookie', async () => {
      const headers = {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        origin: url.replace(/\/$/, ''),
      }
      const answer = await send(url, form, { method: 'POST', headers, body: 'name=Ada' })
      expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/hello (?:<!--.*?-->)*Ada/) })
      expect(answer.headers['set-cookie']?.join()).toContain('name=Ada')
    })

    it('takes a body of 5 MB', async () => {
      const body = Buffer.alloc(5_000_000, 'x')
      const headers = { 'content-type': 'application/octet-stream', origin: url.replace(/\/$/, '') }
      const answer = await send(url, '/api/length', { method: 'POST', headers, body })
      expect(JSON.parse(answer.text)).toEqual({ length: 5_000_000 })
    })

    it('answers for its own host', async () => {
      const { text } = await send(url, '/api/facts')
      expect(JSON.parse(text)).toEqual({ host: new URL(url).host })
    })

    it('streams an answer as it comes', async () => {
      const begunMs = performance.now()
      const { text, firstMs } = await send(url, '/api/stream')
      expect(text).toBe('first\nlast\n')
      expect(performance.now() - begunMs - firstMs).toBeGreaterThan(200)
    })

    it('leads to another page', async () => {
      const { status, headers } = await send(url, '/leave')
      expect([302, 303, 307]).toContain(status)
      expect(new URL(String(headers.location), url).href).toBe(new URL('/', url).href)
    })

    it.skipIf(isPlain || chromiumPath() === undefined).each([390, 1280])(
      'comes to life in a browser of %i pixels, without an error',
      async (width) => {
        const browser = await startBrowser()
        onTestFinished(() => browser.close())
        const { page, problems } = await visitPage(browser, url, width)
        const button = page.getByRole('button')
        // Before it has come to life, a click has no effect.
        const click = () => button.click().then(() => button.textContent())
        await expect.poll(click, { timeout: 60_000 }).toMatch(/^clicked [1-9]/)
        expect(problems).toEqual([])
      },
    )

    it('shows nobody the files of its server', async () => {
      for (const path of [hidden, '/package.json', '/node_modules/.package-lock.json']) {
        const { status, text } = await send(url, path)
        // An application without a router has its page at every path.
        if (status !== 404) expect(text).toContain(`<h1>Made by ${name}</h1>`)
      }
    })
  })

  describe('next by itself', () => {
    const siteUrl = () => platform.program.siteUrl('next')

    it('has its proxy before a page', async () => {
      expect((await send(siteUrl(), '/')).headers).toMatchObject({ 'x-proxied': 'yes' })
    })

    it('makes an image smaller', async () => {
      const headers = { accept: 'image/webp' }
      const image = await send(siteUrl(), '/_next/image?url=%2Fdot.png&w=64&q=75', { headers })
      expect(image).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } })
    })

    it('takes a form by a server action, without scripts', async () => {
      const { text } = await send(siteUrl(), '/action')
      const body = new FormData()
      body.set(/\$ACTION_ID_[0-9a-f]+/.exec(text)?.[0] ?? 'none', '')
      body.set('name', 'Ada')
      const encoded = new Request(siteUrl(), { method: 'POST', body })
      const answer = await send(siteUrl(), '/action', {
        method: 'POST',
        headers: {
          origin: new URL(siteUrl()).origin,
          'content-type': encoded.headers.get('content-type') ?? '',
        },
        body: Buffer.from(await encoded.arrayBuffer()),
      })
      expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/hello (?:<!--.*?-->)*Ada/) })
      expect(answer.headers['set-cookie']?.join()).toContain('name=Ada')
    })

    it('renews a page in memory', async () => {
      const made = async () =>
        /made at (?:<!--.*?-->)*(\d+)/.exec((await send(siteUrl(), '/renewed')).text)?.[1]
      const first = await made()
      expect(first).toBeDefined()
      await expect.poll(made, { timeout: 60_000 }).not.toBe(first)
    })
  })
})
