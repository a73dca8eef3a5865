/** However much of its own work a client queues, that of others and of the process comes in between. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurns } from '../../../src/lib/async/by-turns.ts'
import { busyFor } from '../../support/busy-for.ts'

const longMs = 3

it('acts once for each client before it acts twice for any', async () => {
  const acts: string[] = []
  const inTurn = createTurns<string>()
  for (const [client, count] of [
    ['one', 3],
    ['other', 2],
    ['third', 1],
  ] as const)
    for (let each = 1; each <= count; each += 1) inTurn(client, () => acts.push(`${client} ${each}`))
  expect(acts).toEqual([])
  while (acts.length < 6) await turn()
  expect(acts).toEqual(['one 1', 'other 1', 'third 1', 'one 2', 'other 2', 'one 3'])
})

it('acts for one who comes later before it goes on with those who have had a turn', async () => {
  const acts: string[] = []
  const inTurn = createTurns<string>()
  const act = (name: string) => () => {
    acts.push(name)
    busyFor(longMs)
  }
  for (let each = 1; each <= 4; each += 1) inTurn('one', act(`one ${each}`))
  await turn()
  inTurn('other', act('other'))
  while (acts.length < 5) await turn()
  expect(acts.indexOf('other')).toBeLessThanOrEqual(2)
})

it('begins no more in a turn of the event loop than it may', async () => {
  let acts = 0
  const inTurn = createTurns<number>(2)
  for (let client = 0; client < 6; client += 1) inTurn(client, () => (acts += 1))
  const counts: number[] = []
  while (acts < 6) {
    await turn()
    counts.push(acts)
  }
  const steps = counts.map((count, at) => count - (counts[at - 1] ?? 0))
  expect(Math.max(...steps)).toBe(2)
})

it('begins nothing more in a turn that has lasted for long', async () => {
  let acts = 0
  const inTurn = createTurns<number>()
  for (let client = 0; client < 3; client += 1)
    inTurn(client, () => {
      acts += 1
      busyFor(longMs)
    })
  const counts: number[] = []
  while (acts < 3) {
    await turn()
    counts.push(acts)
  }
  const steps = counts.map((count, at) => count - (counts[at - 1] ?? 0))
  expect(Math.max(...steps)).toBe(1)
})

it('goes on after an act that throws', async () => {
  let acts = 0
  const inTurn = createTurns<string>()
  const thrown: unknown[] = []
  const catches = (error: unknown) => thrown.push(error)
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', catches)
  inTurn('one', () => {
    throw new Error('This act fails.')
  })
  inTurn('other', () => (acts += 1))
  while (acts < 1) await turn()
  process.off('uncaughtException', catches)
  for (const listener of listeners) process.on('uncaughtException', listener)
  expect(thrown).toEqual([new Error('This act fails.')])
})
