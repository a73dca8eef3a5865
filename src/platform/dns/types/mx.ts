/** MX: mail servers of a name (RFC 1035, section 3.3.9; RFC 5321, section 5). */
import { readTarget } from '../record-names.ts'
import type { TypeRule } from './rule.ts'
import { absolute, nameBytes, targetOf, withTarget } from './target.ts'

/** RFC 7505: the name accepts no mail. */
const nullTarget = '.'

export const mx: TypeRule = {
  numbers: ['priority'],
  readValue: (text) => (text === nullTarget ? text : readTarget(text)),
  check({ value, priority }) {
    if (value !== nullTarget || priority === 0) return undefined
    return { path: 'priority', message: 'must be 0 if the value is ., which means that no mail is accepted' }
  },
  excludes(record, other) {
    // RFC 7505, section 3.
    if (other.type !== 'MX' || ![record.value, other.value].includes(nullTarget)) return undefined
    return 'An MX to . means that no mail is accepted, and stands alone'
  },
  leadsTo: ({ value }) => value,
  dataBytes: ({ value }) => 2 + nameBytes(value),
  text: {
    takes: ['a priority', 'a name'],
    read: ([priority = '', name = ''], origin) => withTarget(name, origin, { priority }),
    write: ({ value, priority }) => `${priority} ${absolute(value)}`,
  },
  wire: {
    read: (reader) => ({ priority: reader.short(), value: reader.name() }),
    leastBytes: 4,
    write(writer, { value, priority }) {
      writer.short(priority ?? 0)
      writer.name(targetOf(value), true)
    },
  },
}
