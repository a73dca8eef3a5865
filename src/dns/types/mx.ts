/** MX: mail servers of a name (RFC 1035, section 3.3.9; RFC 5321, section 5). */
import { readTarget } from '../names.ts'
import type { TypeRule } from './rule.ts'

/** RFC 7505: the name accepts no mail. */
export const nullTarget = '.'

export const mx: TypeRule = {
  numbers: ['priority'],
  readValue: (text) => (text === nullTarget ? text : readTarget(text)),
  check({ value, priority }) {
    if (value !== nullTarget || priority === 0) return undefined
    return { path: 'priority', message: 'must be 0 if the value is ., which means that no mail is accepted' }
  },
}
