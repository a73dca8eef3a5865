import { describe, expect, it } from 'vitest'
import { createFloodGate, partsOf } from '../../../src/platform/servers/flood-gate.ts'

const mebibyte = 1024 * 1024

/** A gate that has taken as much as it reads at once, in lines. */
function fullGate() {
  let time = 0
  const gate = createFloodGate(() => time)
  const take = (text: string) => {
    const { rest, ...gated } = gate.take(Buffer.from(text))
    return { ...gated, rest: rest?.toString() }
  }
  gate.take(Buffer.alloc(2 * mebibyte, '\n'))
  return {
    take,
    end: gate.end,
    pass(ms: number) {
      time += ms
    },
  }
}

describe('a flood of output', () => {
  it('is read up to two megabytes at once', () => {
    const gate = createFloodGate(() => 0)
    const chunk = Buffer.alloc(mebibyte, 'x')
    for (let taken = 0; taken < 2; taken += 1) {
      const { rest, ...gated } = gate.take(chunk)
      expect(rest).toBe(chunk)
      expect(gated).toEqual({ cutOff: false, dropped: 0, waitMs: 0 })
    }
    expect(gate.take(chunk)).toMatchObject({ cutOff: true, dropped: 0, rest: undefined })
  })

  it('is read again from the next line on, once there is time for it', () => {
    const { take, pass } = fullGate()
    expect(take('a secr')).toMatchObject({ cutOff: true, dropped: 0, rest: undefined })
    pass(1_000)
    expect(take('et')).toMatchObject({ cutOff: false, dropped: 0, rest: undefined })
    expect(take(' of many\nnext')).toMatchObject({ cutOff: false, dropped: 1, rest: 'next' })
    expect(take(' line\n')).toMatchObject({ cutOff: false, dropped: 0, rest: ' line\n' })
  })

  it('counts a line that never ends', () => {
    const { take, end } = fullGate()
    expect(end()).toBe(0)
    take('a line\n')
    expect(end()).toBe(0)
    take('b')
    expect(end()).toBe(1)
  })

  it('is read for fewer bytes where its lines are short', () => {
    const gate = createFloodGate(() => 0)
    const chunk = Buffer.alloc(1_000, '\n')
    const read = Array.from({ length: 30 }, () => gate.take(chunk)).filter(({ rest }) => rest)
    expect(read).toHaveLength(8)
  })

  it('is read in parts for which others wait, without losing a byte', () => {
    const chunk = Buffer.from(Array.from({ length: 65_535 }, (_, at) => at % 256))
    const parts = [...partsOf(chunk)]
    expect(Buffer.concat(parts)).toEqual(chunk)
    expect(parts).toHaveLength(16)
  })

  it('waits where it is more than anybody reads', () => {
    const gate = createFloodGate(() => 0)
    const chunk = Buffer.alloc(mebibyte, '\n')
    const waits = Array.from({ length: 17 }, () => gate.take(chunk).waitMs)
    expect(waits.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => 0))
    expect(waits[16]).toBeGreaterThan(0)
  })
})
