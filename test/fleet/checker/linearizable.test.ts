import { describe, expect, it } from 'vitest'
import { judgeRegister } from './linearizable.ts'
import type { Access } from './register.ts'

let lastId = 0

const access = (value: string | null, invokeMs: number, endMs: number): Access => {
  lastId += 1
  return { id: lastId, value, invokeMs, endMs }
}
const never = Number.POSITIVE_INFINITY

const judge = (writes: Access[], reads: Access[]) =>
  judgeRegister({ initial: null, writes, reads }).linearizable

describe('a register is linearizable', () => {
  it('when reads return the last write', () => {
    expect(judge([access('a', 0, 1), access('b', 4, 5)], [access('a', 2, 3), access('b', 6, 7)])).toBe(true)
  })

  it('when a read during a write returns what was before, or what is after', () => {
    const writes = () => [access('a', 0, 1), access('b', 2, 10)]
    expect(judge(writes(), [access('a', 3, 4), access('b', 5, 6)])).toBe(true)
    expect(judge(writes(), [access('b', 3, 4)])).toBe(true)
  })

  it('when concurrent writes can be ordered so that later reads agree', () => {
    const writes = () => [access('a', 0, 10), access('b', 0, 10)]
    expect(judge(writes(), [access('a', 11, 12), access('a', 13, 14)])).toBe(true)
    expect(judge(writes(), [access('a', 1, 2), access('b', 11, 12)])).toBe(true)
  })

  it('when a write without a known outcome took effect late, or never', () => {
    const writes = () => [access('a', 0, 1), access('b', 2, never)]
    expect(judge(writes(), [access('a', 5, 6)])).toBe(true)
    expect(judge(writes(), [access('a', 5, 6), access('b', 50_000, 50_001)])).toBe(true)
    expect(judge(writes(), [access('b', 5, 6), access('b', 7, 8)])).toBe(true)
  })

  it('when two unknown writes of one value explain two returns to it', () => {
    const unknown = [access('a', 0, never), access('a', 0, never)]
    const reads = [access('a', 1, 2), access('b', 5, 6), access('a', 7, 8)]
    expect(judge([...unknown, access('b', 3, 4)], reads)).toBe(true)
  })

  it('with hundreds of unknown outcomes', () => {
    const unknown = Array.from({ length: 300 }, (_, at) => access(`v${at}`, at, never))
    const reads = Array.from({ length: 100 }, (_, at) => access(`v${at}`, 1_000 + at * 10, 1_005 + at * 10))
    expect(judge(unknown, reads)).toBe(true)
  })
})

describe('a register is not linearizable', () => {
  it('when a read returns what was overwritten before it began', () => {
    expect(judge([access('a', 0, 1), access('b', 2, 3)], [access('a', 4, 5)])).toBe(false)
  })

  it('when an acknowledged write is lost', () => {
    expect(judge([access('a', 0, 1)], [access(null, 2, 3)])).toBe(false)
  })

  it('when a read returns what nobody wrote, or wrote only later', () => {
    expect(judge([], [access('a', 0, 1)])).toBe(false)
    expect(judge([access('a', 2, 3)], [access('a', 0, 1)])).toBe(false)
  })

  it('when reads one after the other see concurrent writes in two orders', () => {
    const reads = [access('a', 11, 12), access('b', 13, 14)]
    expect(judge([access('a', 0, 10), access('b', 0, 10)], reads)).toBe(false)
  })

  it('when one unknown write would have to happen twice', () => {
    const reads = [access('a', 1, 2), access('b', 5, 6), access('a', 7, 8)]
    expect(judge([access('a', 0, never), access('b', 3, 4)], reads)).toBe(false)
  })

  it('when an unknown write would take effect after more than a minute', () => {
    const reads = [access('a', 61_000, 61_001), access('b', 61_002, 61_003)]
    expect(judge([access('a', 0, 1), access('b', 2, never)], reads)).toBe(false)
  })

  it('and the first operation that fits nowhere is named', () => {
    const late = access('a', 4, 5)
    const verdict = judgeRegister({
      initial: null,
      writes: [access('a', 0, 1), access('b', 2, 3)],
      reads: [late],
    })
    expect(verdict).toEqual({ linearizable: false, id: late.id })
  })
})
