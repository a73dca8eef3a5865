/** The client's list of calls that may be repeated, compared with the procedures. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { repeatableAs } from '../../../src/api/client/repeatable.ts'
import { appRouter } from '../../../src/api/routers/index.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { keepsResponse } from '../../../src/api/trpc/procedure-meta.ts'

const metaSchema = z.object({ openapi: z.object({ method: z.string() }) })

/** A repeat of this has no key of the new team in its response; the other one only mints another token. */
const exceptions = new Map([
  ['teams.put', undefined],
  ['tokens.mint', 'as-is'],
])

it('repeats PUT and DELETE as they are, and POST with a key', () => {
  for (const { name, type, meta } of definitionsOf(appRouter)) {
    const { openapi } = metaSchema.safeParse(meta).data ?? {}
    const ofMethod = keepsResponse(meta) ? 'with-key' : openapi && 'as-is'
    const expected = type === 'query' ? 'as-is' : exceptions.has(name) ? exceptions.get(name) : ofMethod
    expect([name, repeatableAs({ type, path: name })]).toEqual([name, expected])
  }
})
