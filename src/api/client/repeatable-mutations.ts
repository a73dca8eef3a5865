/**
 * The mutations that may be repeated, as their procedures say: `build/data-modules.mjs` replaces this module
 * by its data, so that a client loads no procedures.
 */
import { derivedMutations } from '../routers/repeatable-mutations.ts'

export const repeatableMutations = derivedMutations
