/** The response code of an answer, for those who count. */
import type { Question } from './question.ts'

/**
 * The response code of an answer to `question`, whose upper bits only a problem has (RFC 6891, section
 * 6.1.3).
 */
export function rcodeOf(question: Question, answer: Buffer): number {
  return question.problem ?? (answer[3] ?? 0) & 0x0f
}
