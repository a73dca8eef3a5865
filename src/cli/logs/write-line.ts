/** Formats a line of a log. */
import { auditText } from '../../lib/audit-text.ts'
import type { Io } from '../io.ts'
import { localTime } from '../terminal/format.ts'
import { write } from '../terminal/output.ts'
import { joined, style } from '../terminal/text.ts'
import type { LogLine } from './follow-lines.ts'

const formats = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' } as const

/** Writes the line, that of an audit event with who did it; without a terminal, separated by tabs. */
export function writeLine(io: Pick<Io, 'stdout' | 'env'>, line: LogLine): void {
  const time = localTime(line.time_ms)
  const [level, kind, project] = [line.level, line.kind, line.project ?? '-']
  const message = auditText(line)
  if (io.stdout.isTTY) {
    const coloured = style(io, formats[level], level.padEnd('error'.length))
    write(io, joined([style(io, 'dim', time), coloured, style(io, 'dim', project), message], ' '))
  } else write(io, joined([time, level, kind, project, message], '\t'))
}
