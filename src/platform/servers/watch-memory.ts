/** Ends a server that keeps too much memory, where no control group does. */
import { listTree } from '../sandbox/process-tree.ts'

/** The pause between two checks. */
const pauseMs = 1_000

/**
 * Calls `onExceeded` once, when `isExceeded` says so of the processes from `pid` on. Returns a function that
 * stops watching.
 */
export function watchMemory(
  pid: number,
  isExceeded: (pids: number[]) => Promise<boolean>,
  onExceeded: () => void,
): () => void {
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const exceeds = await listTree(pid).then(isExceeded)
    if (isOver) return
    if (exceeds) onExceeded()
    else timer = setTimeout(tick, pauseMs)
  }

  /** Processes change meanwhile, so a check may fail; only if all do, there is no limit. */
  function tick(): void {
    look().catch(() => {
      if (!isOver) onExceeded()
    })
  }

  tick()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
