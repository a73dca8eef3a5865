/** The Node that runs the tests, for sandboxes. */
import { runtimeOf } from '../../../src/platform/sandbox/runtime-of.ts'

export const ownNode = await runtimeOf(process.execPath)
