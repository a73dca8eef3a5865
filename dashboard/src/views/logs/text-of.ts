/** A line of the log, as people read it. */
import type { LogLine } from '@/lib/follow-logs'
import { visibleLine } from '@/lib/visible'
import { auditText } from '../../../../src/lib/audit-text.ts'

/** The message, with who did it in front of that of an audit event. */
export function textOf(line: LogLine): string {
  return line.kind === 'audit' ? visibleLine(auditText(line)) : line.message
}
