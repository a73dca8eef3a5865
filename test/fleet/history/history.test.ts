import { describe, expect, it } from 'vitest'
import { parseHistory, toHistory } from './history.ts'

const invoke = {
  type: 'invoke',
  id: 1,
  timeMs: 10,
  process: 'a/deployer',
  kind: 'promote',
  subject: 'a-one',
  value: 'v1',
}

const read = (...lines: object[]) =>
  toHistory(parseHistory(lines.map((line) => JSON.stringify(line)).join('\n')))

describe('a history', () => {
  it('pairs what was invoked with what came back', () => {
    const { operations } = read(invoke, {
      type: 'ok',
      id: 1,
      timeMs: 20,
      value: 'v1',
      status: 200,
      node: 'api-1',
    })
    expect(operations).toMatchObject([
      {
        kind: 'promote',
        invokeMs: 10,
        endMs: 20,
        returnedMs: 20,
        outcome: 'ok',
        wanted: 'v1',
        result: { value: 'v1' },
      },
    ])
  })

  it('keeps the end of an unknown outcome open, though the caller returned', () => {
    const { operations } = read(invoke, { type: 'info', id: 1, timeMs: 20, status: 503 })
    expect(operations).toMatchObject([{ outcome: 'info', endMs: Number.POSITIVE_INFINITY, returnedMs: 20 }])
  })

  it('knows what never returned, and a nemesis that never ended', () => {
    const begin = {
      type: 'nemesis',
      phase: 'begin',
      id: 7,
      timeMs: 5,
      name: 'no bucket',
      disturbs: ['bucket'],
    }
    const { operations, windows } = read(invoke, begin)
    expect(operations).toMatchObject([{ outcome: 'info', returnedMs: Number.POSITIVE_INFINITY }])
    expect(windows).toMatchObject([{ beginMs: 5, endMs: Number.POSITIVE_INFINITY }])
    expect(read(begin, { ...begin, phase: 'end', timeMs: 9 }).windows).toMatchObject([
      { beginMs: 5, endMs: 9 },
    ])
  })

  it.each([
    ['a line of another kind', { type: 'unknown' }, 'Line 1 is not of a history'],
    [
      'a return without an invocation',
      { type: 'ok', id: 9, timeMs: 1 },
      'Operation 9 returned, but was never invoked.',
    ],
  ])('refuses %s', (_, line, message) => {
    expect(() => read(line)).toThrow(message)
  })
})
