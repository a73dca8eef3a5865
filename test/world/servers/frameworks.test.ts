/**
 * Applications of frameworks, deployed by the command from their sources: the platform installs, builds,
 * tries and runs them.
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { frameworkApplications } from './frameworks.ts'
import { type Platform, startPlatform } from './platform.ts'
import { send } from './visitor.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

let platform: Platform

beforeAll(async () => {
  platform = await startPlatform('24')
})
afterAll(() => platform.program.end('SIGTERM'))

describe.each(frameworkApplications)('$name', (application) => {
  const { name, form, assets, hidden } = application
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

  it('shows nobody the files of its server', async () => {
    for (const path of [hidden, '/package.json', '/node_modules/.package-lock.json']) {
      const { status, text } = await send(url, path)
      // An application without a router has its page at every path.
      if (status !== 404) expect(text).toContain(`<h1>Made by ${name}</h1>`)
    }
  })
})
