/** What the log is: JSON for a pipe or a file, lines for people at a terminal. */
import { expect, it, vi } from 'vitest'
import { chooseStream } from '../../../src/lib/log/log-stream.ts'
import { createLogger } from '../../../src/lib/log/logger.ts'

function open(isTTY: boolean, env: Record<string, string> = {}) {
  const written: string[] = []
  const out = { write: (text: string) => void written.push(text) }
  const stream = chooseStream(out, { isTTY }, env)
  return { stream, log: createLogger(stream), text: () => written.join('') }
}

const request = { method: 'GET', host: 'localhost:3000', path: '/x', status: 503, ms: 1 }

it('JSON at once where there is no terminal', () => {
  const { log, text } = open(false)
  log.infoLine(request)
  log.info('It is there.')
  const [first = '', second = ''] = text().split('\n')
  expect(JSON.parse(first)).toMatchObject(request)
  expect(JSON.parse(second)).toMatchObject({ level: 30, msg: 'It is there.' })
})

it('at a terminal warnings come at once, everything else after the greeting, in order', () => {
  const { log, stream, text } = open(true, { NO_COLOR: '1' })
  log.info('First.')
  log.infoLine(request)
  log.warn('Look here.')
  expect(text()).toMatch(/^\S+ warning: Look here\.\n$/)
  stream.afterGreeting()
  log.info('Last.')
  expect(text()).toMatch(
    /^\S+ warning: Look here\.\n\S+ First\.\n\S+ 503 GET localhost:3000\/x 1 ms\n\S+ Last\.\n$/,
  )
})

it('lines of other processes, of which several come together', () => {
  const { log, stream, text } = open(true, { TERM: 'dumb' })
  stream.afterGreeting()
  const line = JSON.stringify({ level: 30, time: 0, ...request })
  log.passOn(`${line}\n${line}\n`)
  expect(text().match(/503 GET localhost:3000\/x/g)).toHaveLength(2)
})

it.each([
  [{}, true],
  [{ NO_COLOR: '1' }, false],
  [{ TERM: 'dumb' }, false],
])('with %j a terminal has colours: %s', (env, hasColours) => {
  const { log, stream, text } = open(true, env)
  stream.afterGreeting()
  log.infoLine(request)
  expect(text().includes('\u001b[31m503')).toBe(hasColours)
})

it('one line a minute of requests, but for those at which the server failed', () => {
  vi.useFakeTimers()
  try {
    const { log, stream, text } = open(true, { NO_COLOR: '1' })
    stream.afterGreeting()
    for (const ms of [3, 12.4]) log.infoLine({ ...request, status: 200, ms })
    log.infoLine({ ...request, status: 404 })
    log.infoLine(request)
    expect(text()).toMatch(/^\S+ 503 GET localhost:3000\/x 1 ms\n$/)
    vi.advanceTimersByTime(60_000)
    expect(text()).toMatch(/\n\S+ 3 requests in a minute: 2 × 2xx, 1 × 4xx, the slowest 12 ms\n$/)
    vi.advanceTimersByTime(600_000)
    log.infoLine({ ...request, status: 204 })
    vi.advanceTimersByTime(60_000)
    expect(text()).toMatch(/\n\S+ 1 request in a minute: 1 × 2xx, the slowest 1 ms\n$/)
    expect(text().split('\n')).toHaveLength(4)
  } finally {
    vi.useRealTimers()
  }
})
