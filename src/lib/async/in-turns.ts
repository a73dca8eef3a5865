/** Long work in pieces, so that everything else in this process has its turn between them. */
import { letOthersRun } from './let-others-run.ts'

/** How long a piece may take, in milliseconds: a request meets a few of them. */
const pieceMs = 3

/** Runs a generator that yields where it may be interrupted; resolves to its result. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  let startedMs = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - startedMs < pieceMs) continue
    await letOthersRun()
    startedMs = performance.now()
  }
}

/** Runs it without interruption. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
