/** What the name server tells, of each question, to those who count. */
import type { Verdict } from './sockets/response-rate.ts'
import type { Question } from './wire/question.ts'

/** Is told while other questions wait: both have to return at once, and must not throw. */
export type ObserveDns = {
  answered(transport: 'udp' | 'tcp', rcode: number): void
  /** A network has asked more often than it may. */
  limited(verdict: Exclude<Verdict, 'send'>): void
}

/** The response code of an answer to `question`, whose upper bits only a problem has (RFC 6891, section 6.1.3). */
export function rcodeOf(question: Question, answer: Buffer): number {
  return question.problem ?? (answer[3] ?? 0) & 0x0f
}
