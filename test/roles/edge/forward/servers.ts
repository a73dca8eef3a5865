/** Servers of deployments that run already: a test says where. */
import type { AnswerProblem } from '../../../../src/platform/servers/answer-problems.ts'
import type {
  LeaseOutcome,
  ServerLease,
  Servers,
  ServerWanted,
} from '../../../../src/platform/servers/servers.ts'

export type TestServers = Servers & {
  /** What each lease was for. */
  wanted: ServerWanted[]
  /** How many leases there are. */
  leased(): number
  outcomes: (LeaseOutcome | undefined)[]
  /** What was said of answers. */
  problems: AnswerProblem[]
  /** Says of each WebSocket whether it has to go. */
  sockets: ((hasToGo: boolean) => void)[]
}

type Found = Pick<ServerLease, 'path'> & Partial<Pick<ServerLease, 'start'>>

/** Leases of whatever `find` finds at the time. */
export function createTestServers(
  find: (wanted: ServerWanted, signal: AbortSignal) => Found | Promise<Found>,
): TestServers {
  const wanted: ServerWanted[] = []
  const outcomes: (LeaseOutcome | undefined)[] = []
  const problems: AnswerProblem[] = []
  const sockets: TestServers['sockets'] = []
  let count = 0
  return {
    wanted,
    outcomes,
    problems,
    sockets,
    leased: () => count,
    isRunning: async () => false,
    async takeOver() {},
    async lease(each, signal) {
      wanted.push(each)
      const { path, start = path } = await find(each, signal)
      count += 1
      let isHeld = true
      return {
        path,
        start,
        noteProblems: (given) => void problems.push(...given),
        holdSocket: () => new Promise((resolve) => void sockets.push(resolve)),
        end(outcome) {
          if (!isHeld) return
          isHeld = false
          count -= 1
          outcomes.push(outcome)
        },
      }
    },
  }
}
