/**
 * Applications with a server, deployed by the command from their sources: the platform installs, tries and
 * runs them.
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { applications } from './applications.ts'
import { mayChooseUser, nobody, type Platform, startPlatform } from './platform.ts'
import { send, speak } from './visitor.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

describe.each([
  { on: 'Node.js 20', version: '20' },
  { on: 'Node.js 24', version: '24' },
  ...(mayChooseUser ? [{ on: 'Node.js 20 as nobody', version: '20', uid: nobody }] : []),
])('on $on', ({ version, uid }) => {
  let platform: Platform

  beforeAll(async () => {
    platform = await startPlatform(version, { uid })
  })
  afterAll(() => platform.program.end('SIGTERM'))

  describe.each(applications)('$name', (application) => {
    const { name } = application
    let url: string

    beforeAll(async () => {
      const deployed = await platform.deploy(application)
      expect(deployed.made).toMatchObject({ live: true, state: 'ready', server: { state: 'stopped' } })
      url = deployed.url
    })

    it('renders a page', async () => {
      expect(await send(url, '/')).toMatchObject({ status: 200, text: `<h1>Made by ${name}</h1>` })
    })

    it('learns of the visitor, and runs on that version', async () => {
      const { text } = await send(url, '/api/facts')
      const node = expect.stringMatching(new RegExp(`^v${version}\\.`))
      expect(JSON.parse(text)).toEqual({ host: new URL(url).host, proto: 'http', node })
    })

    it('takes a form, sets a cookie, and leads on', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await send(url, '/form', { method: 'POST', headers, body: 'name=Ada' })
      expect(answer.status).toBe(303)
      expect(answer.headers).toMatchObject({
        location: '/welcome',
        'set-cookie': [expect.stringMatching(/^name=Ada/)],
      })
    })

    it('takes a body of 5 MB', async () => {
      const body = Buffer.alloc(5_000_000, 'x')
      const headers = { 'content-type': 'application/octet-stream' }
      expect(await send(url, '/length', { method: 'POST', headers, body })).toMatchObject({
        status: 200,
        text: '5000000',
      })
    })

    it('streams an answer as it comes', async () => {
      const begunMs = performance.now()
      const { text, firstMs } = await send(url, '/stream')
      expect(text).toMatch(/^data: first\n\ndata: last/)
      expect(performance.now() - begunMs - firstMs).toBeGreaterThan(200)
    })

    it('speaks on a WebSocket', async () => {
      expect(await speak(url, '/socket', 'hello')).toBe('you said hello')
    })

    it('shows nobody its files', async () => {
      for (const path of ['/package.json', '/node_modules/ws/package.json', '/index.js', '/Procfile'])
        expect(await send(url, path)).toMatchObject({ status: 404 })
    })

    it('has its lines in the log', async () => {
      await expect
        .poll(() => platform.svc(['logs', '--project', name, '--kind', 'runtime']), { timeout: 20_000 })
        .toContain(`${name} is ready`)
    })
  })
})
