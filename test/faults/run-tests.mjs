/** Runs the tests of a tree, in a process that goes on between the runs. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A fault may make what is tested go on for ever. */
const maxMs = 10 * 60_000

const tester = fileURLToPath(new URL('tester.mjs', import.meta.url))

/** What runs test files in `tree`, `isShort` as `npm test` does; what it resolves to is described in `tester.mjs`. */
export function createRunTests(tree, isShort) {
  let running

  async function start() {
    const { CI: _, ...env } = process.env
    const child = fork(tester, {
      cwd: tree,
      env: { ...env, TEST_SHORT: isShort ? '1' : '' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await once(child, 'message')
    return child
  }

  async function run(files, changed) {
    running ??= start()
    const child = await running
    const timeout = AbortSignal.timeout(maxMs)
    child.send({ files, changed })
    try {
      const [result] = await once(child, 'message', { signal: timeout })
      return result
    } catch (error) {
      child.kill('SIGKILL')
      running = undefined
      return { passed: false, bit: error === timeout.reason, by: 'It does not end.' }
    }
  }

  return { run, close: async () => void (await running)?.disconnect() }
}
