/** The mutations that a client may repeat, of all procedures. */
import { definitionsOf } from '../trpc/definition.ts'
import { type Repeat, repeatOf } from '../trpc/repeatable.ts'
import { appRouter } from './index.ts'

export const derivedMutations: Partial<Record<string, Repeat>> = Object.fromEntries(
  definitionsOf(appRouter).flatMap((definition) => {
    const repeat = definition.type === 'mutation' ? repeatOf(definition) : undefined
    return repeat === undefined ? [] : [[definition.name, repeat]]
  }),
)
