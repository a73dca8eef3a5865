import { readdir } from 'node:fs/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServerDeps } from '../../../../src/platform/servers/server-process.ts'
import { type TrialTimes, tryServer } from '../../../../src/platform/servers/trial.ts'
import { mebibyte, serverDeps, testTimeout, writeFiles } from '../server.ts'

vi.setConfig({ testTimeout })

let deps: ServerDeps
beforeAll(async () => {
  deps = await serverDeps()
})

const http = "const { createServer } = require('node:http'); "

/** What a trial of the program finds, and the lines that it logs. */
async function attempt(
  program: string,
  { healthPath, signal, ...times }: Partial<TrialTimes> & { healthPath?: string; signal?: AbortSignal } = {},
) {
  const lines: string[] = []
  let dropped = 0
  const found = await tryServer(
    deps,
    {
      files: await writeFiles({ 'server.js': program }),
      command: 'node server.js',
      directory: '.',
      env: { PORT: '3000' },
      memoryBytes: 256 * mebibyte,
      redactor: { redact: (text) => text, longest: 0 },
      host: 'shop.example',
      healthPath,
      onLine: ({ text }) => void lines.push(text),
      onRefused() {},
      onDropped(count) {
        dropped += count
      },
    },
    signal ?? new AbortController().signal,
    { listenMs: 30_000, answerMs: 30_000, endMs: 10_000, ...times },
  )
  expect(await readdir(deps.root)).toEqual([])
  return { found, lines, dropped }
}

describe('the trial of a server', () => {
  it('passes where it listens, and tells it that it is one', async () => {
    const { found, lines } = await attempt(`${http}
      console.log(process.env.SVC_TRIAL)
      createServer((request, response) => {
        console.log(request.headers.host + request.url)
        response.writeHead(500).end()
      }).listen(3000)
      process.on('SIGTERM', () => { console.log('ended'); process.exit() })`)
    expect({ found, lines }).toEqual({ found: undefined, lines: ['1', 'shop.example/', 'ended'] })
  })

  it('passes where its health path answers well', async () => {
    const program = `${http} createServer((request, response) =>
      response.writeHead(request.url === '/health' ? 302 : 500).end()).listen(3000)`
    expect((await attempt(program, { healthPath: '/health' })).found).toBeUndefined()
    expect((await attempt(program, { healthPath: '/other' })).found).toEqual({
      message: '`GET /other` (`health_path`) was answered with status 500, not below 400.',
    })
  })

  it.each([
    ['not in time', 'setTimeout(() => {}, 60_000)', 'was not answered in time.'],
    ['not at all', 'request.socket.destroy()', 'was not answered.'],
    [
      'by ending',
      "console.error('no database'); process.exit(1)",
      'The server ended with exit code 1 before it answered `GET /health`',
    ],
  ])('fails where its health path is answered %s', async (_how, line, message) => {
    const program = `${http} createServer((request) => { ${line} }).listen(3000)`
    const { found } = await attempt(program, { healthPath: '/health', answerMs: 3_000 })
    expect(found?.message).toContain(message)
  })

  it('fails with the last lines of one that ends', async () => {
    const { found } = await attempt(`
      for (let n = 1; n <= 12; n += 1) console.log('line ' + n)
      console.log('x'.repeat(600)); process.exit(1)`)
    expect(found?.message).toBe('The server ended with exit code 1 before it listened on $PORT (3000).')
    expect(found?.excerpt).toHaveLength(10)
    expect(found?.excerpt?.[0]).toBe('line 4')
    expect(found?.excerpt?.[9]).toBe(`${'x'.repeat(500)}…`)
  })

  it('passes on a megabyte of its lines, and counts the others', async () => {
    const { found, lines, dropped } = await attempt(`${http}
      for (let n = 0; n < 3_000; n += 1) require('node:fs').writeSync(1, 'x'.repeat(500) + '\\n')
      createServer((_, response) => response.end()).listen(3000)`)
    expect({ found, total: lines.length + dropped }).toEqual({ found: undefined, total: 3_000 })
    expect(lines.length).toBeLessThanOrEqual((1024 * 1024) / 600)
    expect(lines.length).toBeGreaterThan(500)
  })

  it('passes where it does not end in order', async () => {
    const program = `${http} process.on('SIGTERM', () => {}); createServer((_, r) => r.end()).listen(3000)`
    expect((await attempt(program, { endMs: 300 })).found).toBeUndefined()
  })

  it('ends at once when it is aborted', async () => {
    const stopping = new AbortController()
    setTimeout(() => stopping.abort(new Error('no longer wanted')), 500)
    await expect(attempt('setInterval(() => {}, 1_000)', { signal: stopping.signal })).rejects.toThrow(
      'no longer wanted',
    )
    expect(await readdir(deps.root)).toEqual([])
  })
})
