/** Ends a run's report with the files that took longest, and with each test that passed only when it was run again. */
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

const shown = 20

/** For `reporters`, beside Vitest's own. */
export const tellSlowest: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length > 1) process.stdout.write(describeSlowest(modules))
    const flaky = modules.flatMap((module) => [...module.children.allTests()]).filter(isFlaky)
    if (flaky.length > 0) process.stderr.write(describeFlaky(flaky))
  },
}

function describeSlowest(modules: readonly TestModule[]): string {
  const slowest = modules.toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, shown)
  const lines = slowest.map(
    (module) => `${(durationOf(module) / 1_000).toFixed(1).padStart(8)} s  ${nameOf(module)}`,
  )
  return `\n The slowest files:\n${lines.join('\n')}\n\n`
}

/** With what it waits for before its first test, such as its node's start. */
function durationOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return collectDuration + setupDuration + duration
}

function nameOf({ project, moduleId }: TestModule): string {
  return `${project.name} ${relative('.', moduleId)}`
}

function isFlaky(test: TestCase): boolean {
  return test.diagnostic()?.flaky ?? false
}

function describeFlaky(tests: TestCase[]): string {
  const lines = tests.map((test) => ` ! ${nameOf(test.module)} > ${test.fullName}`)
  return `\n!!! ${tests.length} passed only when run again. Each is a defect, of the test or of what it tests:\n${lines.join('\n')}\n\n`
}
