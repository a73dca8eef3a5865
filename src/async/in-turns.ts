/** Long work in pieces, so that everything else in this process has its turn between them. */
import { letOthersRun } from './let-others-run.ts'

/** How long a piece may take, in milliseconds: a request meets a few of them. */
const pieceMs = 3

/** Runs work that yields where it may be interrupted; resolves to what it returns. */
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

/** The same without interruption, for whoever has nothing else to do. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
