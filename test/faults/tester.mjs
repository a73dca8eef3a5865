/**
 * Runs test files of the tree that it is started in, as often as it is told to, with code that changes in between: what
 * a run of tests prepares is prepared once. Told `{ files, changed }`, it answers with how that went.
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
 * Runs the files until a test fails. `passed`, or else `bit` where tests ran and one of them, or what is checked after
 * them, failed; `by` says how.
 */
async function run(files) {
  const specifications = await vitest.globTestSpecifications(files)
  const { testModules: all, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  // Those of earlier runs are told of again.
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
