/** MX: where mail for a name goes (RFC 1035, section 3.3.9; RFC 5321, section 5). */
import { readTarget } from '../names.ts'
import type { TypeRule } from './rule.ts'

/** RFC 7505: says that the name takes no mail. */
export const nullTarget = '.'

export const mx: TypeRule = {
  numbers: ['priority'],
  readValue: (text) => (text === nullTarget ? text : readTarget(text)),
  check({ value, priority }) {
    if (value !== nullTarget || priority === 0) return undefined
    return { path: 'priority', message: 'must be 0 where the value is ., which says that no mail is taken' }
  },
}
