/** Fields of answers that no visitor gets: the log of a server says so, where its author looks for them. */
import type { ServerLog } from './lines.ts'

/** The kinds, and the sentence for the project's members; of what the server says, no word is repeated. */
const sentences = {
  platformCookie: 'A Set-Cookie was dropped from an answer: names that begin with svc_ are for the platform.',
  wideCookie: 'A Set-Cookie was dropped from an answer: its Domain has the sites of others, too.',
  accel: 'X-Accel-… was dropped from an answer: proxies in front of the platform would act on it.',
  sendfile: 'X-Sendfile was dropped from an answer: proxies in front of the platform would act on it.',
  platform: 'X-Svc-… was dropped from an answer: these fields are for the platform.',
  alternative: 'Alt-Svc was dropped from an answer: which ports serve the site is for the platform to say.',
} as const

export type DroppedField = keyof typeof sentences

/** How long a line stands for all answers of which a field of its kind is dropped. */
const quietMs = 60_000

/** Returns a function that adds a line for each kind of field, once a minute; `now` is in milliseconds. */
export function createDroppedLines(
  log: Pick<ServerLog, 'say'>,
  now: () => number,
): (fields: readonly DroppedField[]) => void {
  const saidMs = new Map<DroppedField, number>()
  return (fields) => {
    for (const field of fields) {
      const lastMs = saidMs.get(field)
      if (lastMs !== undefined && now() < lastMs + quietMs) continue
      saidMs.set(field, now())
      log.say('warn', sentences[field])
    }
  }
}
