/** The lines of Yarn from version 2 on, which tells errors from others by colour and code alone. */
import type { LineKind } from './kinds.ts'

const report = /^➤ YN00(\d\d): (?:[│┌└·] )?(.*)$/u

/** Codes of errors and of warnings (https://yarnpkg.com/advanced/error-codes). */
const errors = new Set(
  '01 09 10 11 12 15 16 18 20 21 22 27 28 30 35 36 37 41 46 66 78 80 81 82 91'.split(' '),
)
const warnings = new Set('02 06 14 32 50 60 61 68 69 74 86'.split(' '))

/** The kind of such a line; undefined for others. */
export function yarnKind(line: string): LineKind | undefined {
  const [, code = '', text = ''] = report.exec(line) ?? []
  if (code === '') return undefined
  if (warnings.has(code)) return 'warning'
  // The lock file that it would have written comes as a comparison.
  if (!errors.has(code) || /^(?:[+-]|@@)/.test(text)) return 'chatter'
  return text.startsWith(' ') ? 'detail' : 'cause'
}
