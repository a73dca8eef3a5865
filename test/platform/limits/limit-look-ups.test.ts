import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLookUp } from '../../../src/platform/limits/limit-look-ups.ts'

const burst = 5

/** Makes this many look-ups at once, and counts the ones that were executed; no token is refilled. */
async function lookAtOnce(count: number, found: string | undefined) {
  const lookUp = createLookUp({ perSecond: 1, burst }, () => 0)
  let underWay = 0
  let most = 0
  let looked = 0
  const find = async () => {
    underWay += 1
    most = Math.max(most, underWay)
    looked += 1
    await turn()
    underWay -= 1
    return found
  }
  const results = await Promise.allSettled(Array.from({ length: count }, () => lookUp('192.0.2.1', find)))
  const refused = results.filter(({ status }) => status === 'rejected').length
  return { most, looked, refused }
}

describe('look-ups that begin in one turn of the event loop', () => {
  it('are as many as there are tokens, if nothing is found', async () => {
    expect(await lookAtOnce(200, undefined)).toEqual({ most: burst, looked: burst, refused: 200 - burst })
  })

  it('wait for each other, and draw nothing if something is found', async () => {
    expect(await lookAtOnce(200, 'there')).toEqual({ most: burst, looked: 200, refused: 0 })
  })

  it('are refused beyond 256 waiting ones', async () => {
    expect(await lookAtOnce(400, 'there')).toEqual({
      most: burst,
      looked: burst + 256,
      refused: 400 - burst - 256,
    })
  })

  it('of another address have tokens of their own', async () => {
    const lookUp = createLookUp({ perSecond: 1, burst: 1 }, () => 0)
    const find = async () => undefined
    const looking = ['192.0.2.1', '192.0.2.1', '192.0.2.2'].map((address) => lookUp(address, find))
    const statuses = (await Promise.allSettled(looking)).map(({ status }) => status)
    expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await expect(lookUp('192.0.2.2', find)).rejects.toMatchObject({ reason: 'rate_limited' })
  })
})
