/** A line of the log, as people read it. */
import type { LogLine } from '@/lib/follow-logs'
import { visibleLine } from '@/lib/visible'
import { auditText } from '../../../../src/lib/audit-text.ts'

/** The message, with who did it in front of that of an audit event. */
export function textOf(line: LogLine): string {
  return line.kind === 'audit' ? withShortIds(visibleLine(auditText(line))) : line.message
}

/** `dpl_01a22502…`: as much as tells ids apart. The fields of the line have them whole. */
function withShortIds(text: string): string {
  return text.replaceAll(/\b([a-z]{2,4}_[0-9a-f]{8})[0-9a-f]{24}\b/g, '$1…')
}
