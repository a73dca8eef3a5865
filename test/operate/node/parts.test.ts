/** The parts that a node has started, and how they are closed. */
import { expect, it } from 'vitest'
import { createParts } from '../../../src/operate/node/parts.ts'

function recorded() {
  const closed: string[] = []
  const part = (name: string) => ({ name, close: async () => void closed.push(name) })
  return { closed, part }
}

it('closes the last part first, each once', async () => {
  const { closed, part } = recorded()
  const parts = createParts(() => {})
  for (const name of ['database', 'cache', 'server']) expect(parts.add(part(name)).name).toBe(name)
  await parts.close()
  await parts.close()
  expect(closed).toEqual(['server', 'cache', 'database'])
})

it('closes the parts before one that fails to close, and rejects with the error', async () => {
  const { closed, part } = recorded()
  const errors: unknown[] = []
  const parts = createParts((error) => void errors.push(error))
  const error = new Error('away')
  parts.add(part('database'))
  parts.add({ close: () => Promise.reject(error) })
  parts.add({
    close() {
      throw error
    },
  })
  await parts.close()
  expect(closed).toEqual(['database'])
  expect(errors).toEqual([error, error])
})

it('keeps the parts before a failing one open if the caller throws its error', async () => {
  const { closed, part } = recorded()
  const parts = createParts((error) => {
    throw error
  })
  parts.add(part('lock'))
  parts.add({ close: () => Promise.reject(new Error('away')) })
  await expect(parts.close()).rejects.toThrow('away')
  expect(closed).toEqual([])
})
