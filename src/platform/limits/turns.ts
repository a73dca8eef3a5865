/** How much of one kind a process does at once, for each team and in all. */
import { AppError } from '../../lib/errors.ts'

export type Turns = {
  /** @throws AppError `too_many_waiting`. Call what it returns at the end. */
  begin(teamId: string): () => void
}

/** The turns of a process; `refusal` is for whoever gets none. */
export function createTurns(most: { team: number; process: number }, refusal: string): Turns {
  const ofTeam = new Map<string, number>()
  let total = 0
  return {
    begin(teamId) {
      const running = ofTeam.get(teamId) ?? 0
      if (running >= most.team || total >= most.process)
        throw new AppError('too_many_waiting', refusal, { retryAfterMs: 5_000 })
      ofTeam.set(teamId, running + 1)
      total += 1
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        total -= 1
        const left = (ofTeam.get(teamId) ?? 1) - 1
        if (left === 0) ofTeam.delete(teamId)
        else ofTeam.set(teamId, left)
      }
    },
  }
}
