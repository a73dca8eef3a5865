/** How much memory this process may use. */
import { totalmem } from 'node:os'

/** In bytes: the machine's, or less where a control group bounds it. */
export function usableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
