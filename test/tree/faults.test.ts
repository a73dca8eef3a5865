/**
 * The table of seeded faults matches the code: each can still be planted, and each folder of `src` has one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'

const faultSchema = z.strictObject({
  what: z.string().regex(/\.$/),
  file: z.string(),
  find: z.string(),
  replace: z.string(),
  tests: z.array(z.string()).min(1),
  built: z.boolean().optional(),
  slow: z.boolean().optional(),
})

const table = new URL('../faults/table/', import.meta.url)
const modules = await Promise.all(
  readdirSync(table).map((name): Promise<unknown> => import(new URL(name, table).href)),
)
const faults = modules.flatMap((module) => z.object({ faults: z.array(faultSchema) }).parse(module).faults)

it('finds each place once, and changes it', () => {
  const places = faults.map(({ file, find }) => ({
    file,
    find,
    times: readFileSync(file, 'utf8').split(find).length - 1,
  }))
  expect(places.filter(({ times }) => times !== 1)).toEqual([])
  expect(faults.filter(({ find, replace }) => find === replace)).toEqual([])
})

it('names existing tests', () => {
  expect(faults.flatMap(({ tests }) => tests).filter((test) => !existsSync(test))).toEqual([])
})
