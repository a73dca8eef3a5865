/** Builds that go on when the test says so, however busy the machine is. */
import { eventually } from '../../support/eventually.ts'
import { withArguments } from './processes.ts'

/** No test's build sleeps for as long. */
let nextS = 600_000 + (process.pid % 10_000) * 10

/** `command` holds a build until `release` is called, which waits for the build to be there. */
export function newHold(): { command: string; release: () => Promise<void> } {
  const seconds = String(nextS)
  nextS += 1
  return {
    command: `(sleep ${seconds} || true)`,
    async release() {
      const sleepers = await eventually(async () => {
        const found = await withArguments(`sleep ${seconds}`)
        if (found.length === 0) throw new Error('The build is not there yet.')
        return found
      })
      for (const pid of sleepers) process.kill(Number(pid))
    },
  }
}
