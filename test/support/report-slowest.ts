/** Ends a run's report with the slowest files, and the time of each project. */
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const maxFiles = 40

/** For `reporters`, beside Vitest's own. */
export const reportSlowest: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length > 1) process.stdout.write(`${describeSlowest(modules)}${describeProjects(modules)}\n`)
  },
}

function describeSlowest(modules: readonly TestModule[]): string {
  const slowest = modules.toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, maxFiles)
  const lines = slowest.map((module) => describe([module], nameOf(module)))
  return `\n The slowest files, and their processor time:\n${lines.join('')}`
}

function describeProjects(modules: readonly TestModule[]): string {
  const names = [...new Set(modules.map((module) => module.project.name))].toSorted()
  const lines = names.map((name) => {
    const own = modules.filter((module) => module.project.name === name)
    return describe(own, `${name}, ${own.length} files`)
  })
  return `\n All files of a project:\n${lines.join('')}`
}

function describe(modules: readonly TestModule[], name: string): string {
  return `${seconds(modules.map(durationOf))} s ${seconds(modules.map(processorTimeOf))} s  ${name}\n`
}

function seconds(durationsMs: number[]): string {
  return (durationsMs.reduce((sum, each) => sum + each, 0) / 1_000).toFixed(1).padStart(8)
}

/** Includes the wait before its first test, such as for its node's start. */
function durationOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return collectDuration + setupDuration + duration
}

function processorTimeOf(module: TestModule): number {
  return module.meta().processorMs ?? 0
}

function nameOf({ project, moduleId }: TestModule): string {
  return `${project.name} ${relative('.', moduleId)}`
}
