/** Makes a test fail if a response violated the OpenAPI document; Vitest runs this before each file. */
import { afterAll, afterEach, expect } from 'vitest'
import { takeProblems, watchServers } from './recorder.ts'

watchServers()

async function holdContract(): Promise<void> {
  expect(await takeProblems()).toEqual([])
}

afterEach(holdContract)
// Responses after the last test count, too.
afterAll(holdContract)
