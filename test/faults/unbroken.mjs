/** Checks without which a failing test would prove nothing. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A fault is judged by what it does, also where it leaves a variable unused. */
const lenient = ['-p', 'tsconfig.json', '--noUnusedLocals', 'false', '--noUnusedParameters', 'false']

/** @throws when the type checker rejects a fault, which then needs no test. */
export async function checkTypes(tree, faults) {
  let left = faults
  while (left.length > 0) {
    const [first, later] = onePerFile(left)
    const undo = await tree.plant(first)
    const checked = await run('npx', ['tsc', ...lenient], { cwd: tree.directory }).catch((error) => error)
    await undo()
    if (checked.code) throw new Error(`Faults that the type checker sees:\n${checked.stdout}`)
    left = later
  }
}

function onePerFile(faults) {
  const isFirst = ({ file }, at) => faults.findIndex((other) => other.file === file) === at
  return [faults.filter(isFirst), faults.filter((fault, at) => !isFirst(fault, at))]
}

/** @throws when the tests of the faults fail without a fault. */
export async function checkUnbroken(tree, faults) {
  const testsOf = (some) => [...new Set(some.flatMap(({ tests }) => tests))]
  // All tests of a file are its short ones, too, of which there may be none.
  for (const [runTests, files] of [
    [tree.runShort, testsOf(faults.filter(({ slow }) => !slow))],
    [tree.runAll, testsOf(faults.filter(({ slow }) => slow))],
  ]) {
    const { passed, by } = files.length > 0 ? await runTests(files) : { passed: true }
    if (!passed) throw new Error(`The tests fail without any fault: ${by}`)
  }
}
