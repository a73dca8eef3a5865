/** Interrupts long work, so that whatever else waits has its turn. */
import { setImmediate } from 'node:timers/promises'

/** Resolves when all that is waiting now has run. */
export async function letOthersRun(): Promise<void> {
  await setImmediate()
}
