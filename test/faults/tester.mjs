/**
 * Runs test files of the tree that it is started in, whenever its parent requests it, with code that changes
 * in between; a run's global setup happens once. Receives `{ files, changed }` and replies with the result.
 */
import { resolve } from 'node:path'
import { createVitest } from 'vitest/node'

const vitest = await createVitest('test', {
  watch: false,
  reporters: [
    { onTestCaseResult: (test) => void (hasFailed(test) && vitest.cancelCurrentRun('test-failure')) },
  ],
})

process.on('message', async ({ files, changed }) => {
  for (const file of changed) vitest.invalidateFile(resolve(file))
  process.send(await run(files).catch((error) => ({ passed: false, bit: false, by: String(error.stack) })))
})
process.on('disconnect', () => vitest.exit(true))
process.send('ready')

/**
 * Runs the files until a test fails. `passed`, or else `bit` if tests ran and one of them, or a check after
 * them, failed; `by` says which.
 */
async function run(files) {
  const specifications = await vitest.globTestSpecifications(files)
  const { testModules: all, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  // Vitest reports the modules of earlier runs again.
  const wanted = new Set(specifications.map(({ moduleId }) => moduleId))
  const testModules = all.filter(({ moduleId }) => wanted.has(moduleId))
  const tests = testModules.flatMap(({ children }) => [...children.allTests()])
  const failed = tests.find(hasFailed)
  const errors = [...testModules.flatMap((module) => module.errors()), ...unhandledErrors]
  const ran = tests.filter((test) => ['passed', 'failed'].includes(test.result().state))
  return {
    passed: ran.length > 0 && !failed && errors.length === 0,
    bit: ran.length > 0 && (failed !== undefined || errors.length > 0),
    by: failed?.fullName ?? errors.map((error) => error.stack ?? String(error)).join('\n'),
  }
}

function hasFailed(test) {
  return test.result().state === 'failed'
}
