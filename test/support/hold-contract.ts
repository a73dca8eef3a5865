/** Makes a test fail where an answer broke the OpenAPI document; Vitest runs this before each file. */
import { afterAll, afterEach, expect } from 'vitest'
import { takeProblems, watchServers } from './recorder.ts'

watchServers()

async function holdContract(): Promise<void> {
  expect(await takeProblems()).toEqual([])
}

afterEach(holdContract)
// What is asked after the last test counts, too.
afterAll(holdContract)
