/** Reads a master file as canonical records, or reports all its problems. */
import { AppError } from '../../../lib/errors.ts'
import { toDisplayText } from '../../../lib/names/display-text.ts'
import { parseRecord } from '../parse-record.ts'
import type { RecordData } from '../types/rule.ts'
import type { Problem } from './entries.ts'
import { type FileRecord, type Note, parseZone } from './parse.ts'
import { shorten } from './shorten.ts'

/** A wanted record; `ttl` in seconds, of any length. */
export type WantedRecord = RecordData & { line: number; ttl: number; comment: string | null }

export type ZoneFile = { records: WantedRecord[]; skipped: Note[]; adjusted: Note[] }

/** The most issues in a response. */
const maxIssues = 100

/**
 * The records of `text` for the zone at `apex`. With `skip`, lines with problems are among the skipped ones
 * where those after them can be read without them.
 * @throws AppError `invalid_input` with line numbers.
 */
export function* readZone(text: string, apex: string, skip = false): Generator<void, ZoneFile> {
  const { records, skipped, problems } = yield* parseZone(text, apex, skip)
  const read: WantedRecord[] = []
  for (const record of records) {
    const each = readRecord(record, apex)
    if ('message' in each) problems.push(each)
    else read.push(each)
    yield
  }
  const left = skip ? skipProblems(problems) : refuse(problems)
  const adjusted = records.flatMap(({ line, fqdn, type, notes }) =>
    notes.map((note) => ({ line, message: `${shorten(fqdn)} ${type}: ${note}` })),
  )
  return { records: read, skipped: [...skipped, ...left], adjusted }
}

/** The problems as notes. @throws AppError `invalid_input` for those that decide what other lines mean. */
function skipProblems(problems: Problem[]): Note[] {
  refuse(
    problems
      .filter(({ decidesRest }) => decidesRest)
      .map(({ line, message }) => ({
        line,
        message: `${message}; it can't be skipped, as it decides what the lines after it mean`,
      })),
  )
  return problems.map(({ line, message }) => ({ line, message }))
}

/** No notes. @throws AppError `invalid_input` with line numbers, if there are problems. */
export function refuse(problems: Problem[]): Note[] {
  const issues = problems
    .toSorted((a, b) => a.line - b.line)
    .slice(0, maxIssues)
    .map(({ line, message }) => ({ path: 'zone', message: `line ${line}: ${message}` }))
  const [first] = issues
  if (first) throw new AppError('invalid_input', `${first.path}: ${first.message}`, { issues })
  return []
}

function readRecord(
  { line, fqdn, ttl, comment, notes: _, ...data }: FileRecord,
  apex: string,
): WantedRecord | Problem {
  const record = parseRecord({ ...data, name: `${fqdn}.` }, apex)
  if (!('issues' in record)) return { ...record, line, ttl, comment: toDisplayText(comment ?? '') || null }
  const why = record.issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  return { line, message: `${shorten(fqdn)} ${data.type}: ${why}` }
}
