import { describe, expect, it } from 'vitest'
import { inGroups } from '../../../src/stores/db/in-groups.ts'

/** Records the groups that it receives; `gate` delays each of them. */
function recorder(gate: Promise<void> = Promise.resolve()) {
  const groups: string[][] = []
  const run = async (items: string[]) => {
    groups.push(items)
    await gate
    if (items.includes('bad')) throw new Error(`${items.length} failed`)
    return items.length
  }
  return { groups, run }
}

describe('calls in groups', () => {
  it('are grouped when they come together', async () => {
    const { groups, run } = recorder()
    const call = inGroups(run)
    expect(await Promise.all(['a', 'b', 'c'].map(call))).toEqual([3, 3, 3])
    expect(groups).toEqual([['a', 'b', 'c']])
  })

  it('wait for the group under way, and are then done at once', async () => {
    let open = () => {}
    const { groups, run } = recorder(new Promise((resolve) => (open = resolve)))
    const call = inGroups(run)
    const first = call('a')
    await null
    await null
    const others = ['b', 'c'].map(call)
    expect(groups).toEqual([['a']])
    open()
    expect(await Promise.all([first, ...others])).toEqual([1, 2, 2])
    expect(groups).toEqual([['a'], ['b', 'c']])
  })

  it('fail alone: the others of the group are done', async () => {
    const { run } = recorder()
    const call = inGroups(run)
    const results = await Promise.allSettled(['a', 'bad', 'b'].map(call))
    expect(results).toMatchObject([{ value: 1 }, { reason: new Error('1 failed') }, { value: 1 }])
    expect(await call('later')).toBe(1)
  })
})
