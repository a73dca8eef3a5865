/** Runs the tests of a tree in a process that is kept between runs. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A fault may make the tested code run forever. */
const maxMs = 10 * 60_000

const tester = fileURLToPath(new URL('tester.mjs', import.meta.url))

/**
 * Returns a runner of test files in `tree`, which with `isShort` runs what `npm test` does; its result is
 * described in `tester.mjs`.
 */
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
      return { passed: false, bit: timeout.aborted, by: timeout.aborted ? 'It does not end.' : String(error) }
    }
  }

  return { run, close: async () => void (await running)?.disconnect() }
}
