/** Parts of a server's answers that no visitor gets: its log says so, where its author looks for it. */
import type { ServerLog } from './lines.ts'

/** The kinds, and the sentence for the project's members; of what the server says, no word is repeated. */
const sentences = {
  platformCookie: 'A Set-Cookie was dropped from an answer: names that begin with svc_ are for the platform.',
  wideCookie: 'A Set-Cookie was dropped from an answer: its Domain has the sites of others, too.',
  accel: 'X-Accel-… was dropped from an answer: proxies in front of the platform would act on it.',
  sendfile: 'X-Sendfile was dropped from an answer: proxies in front of the platform would act on it.',
  platform: 'X-Svc-… was dropped from an answer: these fields are for the platform.',
  broken: 'A visitor got 502: the server took no connection, ended it, or its answer was no valid HTTP.',
  silent: 'A visitor got 504: the server said nothing for as long as it may.',
  alternative: 'Alt-Svc was dropped from an answer: which ports serve the site is for the platform to say.',
} as const

export type AnswerProblem = keyof typeof sentences

/** How long a line stands for all problems of its kind. */
const quietMs = 60_000

/** Returns a function that adds a line for each kind of problem, once a minute; `now` is in milliseconds. */
export function createProblemLines(
  log: Pick<ServerLog, 'say'>,
  now: () => number,
): (problems: readonly AnswerProblem[]) => void {
  const saidMs = new Map<AnswerProblem, number>()
  return (problems) => {
    for (const problem of problems) {
      const lastMs = saidMs.get(problem)
      if (lastMs !== undefined && now() < lastMs + quietMs) continue
      saidMs.set(problem, now())
      log.say('warn', sentences[problem])
    }
  }
}
