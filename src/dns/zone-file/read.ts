/** Reads a master file as canonical records, or reports all its problems. */
import { AppError } from '../../errors.ts'
import { parseRecord } from '../parse-record.ts'
import type { RecordData } from '../types/rule.ts'
import type { Problem } from './entries.ts'
import { type FileRecord, type Note, parseZone } from './parse.ts'

/** A wanted record; `ttl` in seconds, of any length. */
export type WantedRecord = RecordData & { line: number; ttl: number; comment: string | null }

export type ZoneFile = { records: WantedRecord[]; skipped: Note[] }

/** The most issues in a response. */
const maxIssues = 100

/** The records of `text` for the zone at `apex`. @throws AppError `invalid_input` with line numbers. */
export function* readZone(text: string, apex: string): Generator<void, ZoneFile> {
  const { records, skipped, problems } = yield* parseZone(text, apex)
  const read: WantedRecord[] = []
  for (const record of records) {
    const each = readRecord(record, apex)
    if ('message' in each) problems.push(each)
    else read.push(each)
    yield
  }
  refuse(problems)
  return { records: read, skipped }
}

/** @throws AppError `invalid_input` with line numbers, if there are problems. */
export function refuse(problems: Problem[]): void {
  const issues = problems
    .toSorted((a, b) => a.line - b.line)
    .slice(0, maxIssues)
    .map(({ line, message }) => ({ path: 'zone', message: `line ${line}: ${message}` }))
  const [first] = issues
  if (first) throw new AppError('invalid_input', `${first.path}: ${first.message}`, { issues })
}

function readRecord({ line, fqdn, ttl, comment, ...data }: FileRecord, apex: string): WantedRecord | Problem {
  const record = parseRecord({ ...data, name: `${fqdn}.` }, apex)
  if (!('issues' in record)) return { ...record, line, ttl, comment: comment || null }
  const why = record.issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  return { line, message: `${fqdn} ${data.type}: ${why}` }
}
