/** How many pushes are taken at once. */
import { AppError } from '../../../lib/errors.ts'

const most = { team: 4, node: 16 }

export type Turns = {
  /** @throws AppError `too_many_waiting`. Call what it returns at the end. */
  begin(teamId: string): () => void
}

/** The turns of a process. */
export function createTurns(): Turns {
  const ofTeam = new Map<string, number>()
  let total = 0
  return {
    begin(teamId) {
      const running = ofTeam.get(teamId) ?? 0
      if (running >= most.team || total >= most.node)
        throw new AppError('too_many_waiting', 'Too many pushes are under way. Push again in a moment.', {
          retryAfterMs: 5_000,
        })
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
