/** Notes when the harness itself did not run: then it saw everything late. */
import type { Recorder } from './history/recorder.ts'

const everyMs = 50
const lateMs = 250

/** Returns a function that stops it. */
export function watchStalls(recorder: Recorder): () => void {
  let lastMs = recorder.nowMs()
  const timer = setInterval(() => {
    const nowMs = recorder.nowMs()
    if (nowMs - lastMs > everyMs + lateMs) recorder.write({ type: 'stall', sinceMs: lastMs })
    lastMs = nowMs
  }, everyMs)
  return () => clearInterval(timer)
}
