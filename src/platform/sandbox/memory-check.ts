/** Whether processes keep more memory than they may, where no control group counts it. */
import type { MemoryFiles } from './bubblewrap.ts'
import { createBufferCount } from './kernel-buffers.ts'
import { readMemory } from './process-tree.ts'

/** Makes the check of the processes of one sandbox; `inMemory` are its file systems in memory. */
export function createMemoryCheck(
  maxBytes: number,
  inMemory: readonly MemoryFiles[],
): (pids: number[]) => Promise<boolean> {
  const bufferBytes = createBufferCount()
  return async (pids) => {
    const { residentBytes, descriptorSlots } = await readMemory(pids, inMemory)
    return residentBytes + (await bufferBytes(pids, descriptorSlots)) > maxBytes
  }
}
