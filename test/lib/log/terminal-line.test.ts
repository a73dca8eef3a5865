/** The log at a terminal. */
import { expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { terminalLine } from '../../../src/lib/log/terminal-line.ts'

const time = new Date(2026, 2, 1, 14, 3, 22).getTime()

const lineOf = (fields: Record<string, unknown>, isColoured = false) =>
  terminalLine(JSON.stringify({ level: 30, time, ...fields }), isColoured)

const request = { method: 'GET', host: 'localhost:3000', path: '/v1/projects', status: 200, ms: 12.34 }

it('a request has time, status, method, host and path, and duration', () => {
  expect(lineOf({ ...request, request_id: 'req_1', address: '127.0.0.1' })).toBe(
    '14:03:22 200 GET localhost:3000/v1/projects 12 ms',
  )
})

it.each([
  [200, '200'],
  [404, '\u001b[33m404\u001b[39m'],
  [503, '\u001b[31m503\u001b[39m'],
])('the status %i is coloured only where colours are wanted', (status, text) => {
  expect(lineOf({ ...request, status }, true)).toContain(` ${text} GET`)
  expect(lineOf({ ...request, status })).toContain(`22 ${status} GET`)
})

it.each([
  [30, '14:03:22 It went on. pid=7'],
  [40, '14:03:22 warning: It went on. pid=7'],
  [50, '14:03:22 error: It went on. pid=7'],
  [60, '14:03:22 error: It went on. pid=7'],
])('a message of level %i is %s', (level, text) => {
  expect(lineOf({ level, msg: 'It went on.', pid: 7 })).toBe(text)
})

it('an error has its stack and its causes below, indented', () => {
  const lines: string[] = []
  const log = createLogger({ write: (line) => void lines.push(line) })
  log.error({ err: new Error('It broke.', { cause: new Error('The disk is full.') }) }, 'It failed.')
  const [first, ...rest] = (terminalLine(lines[0] ?? '', false) ?? '').split('\n')
  expect(first).toMatch(/^\d\d:\d\d:\d\d error: It failed\.$/)
  expect(rest[0]).toBe('  Error: It broke.')
  expect(rest).toContain('  caused by')
  expect(rest).toContain('  Error: The disk is full.')
  expect(rest.filter((line) => !line.startsWith('  '))).toEqual([])
})

it('a long address is cut', () => {
  const line = lineOf({ ...request, path: `/${'a'.repeat(5_000)}` }) ?? ''
  expect(line.length).toBeLessThan(140)
  expect(line).toMatch(/a… 12 ms$/)
})

it.each(['\u001b[2J', '\u001b]0;title\u0007', '\u009b31m', 'a\rb', 'a\nb', '\u202e'])(
  'nothing of %j gets through, wherever it stands',
  (text) => {
    const lines = [
      lineOf({ ...request, path: `/${text}` }),
      lineOf({ ...request, host: text }),
      lineOf({ ...request, method: text }),
      lineOf({ msg: text }),
      lineOf({ msg: 'x', [text]: text }),
      lineOf({ level: 50, msg: 'x', err: { stack: text, cause: text } }),
      terminalLine(`no JSON ${text}`, false),
    ]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through.
    const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/
    for (const line of lines) expect(line).not.toMatch(unsafe)
    for (const line of lines.slice(0, 5)) expect(line).not.toContain('\n')
  },
)
