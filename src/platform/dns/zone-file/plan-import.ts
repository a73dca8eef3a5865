/** Plans an import from the file and the existing records. */
import { findClashes } from '../clashes.ts'
import { commentSchema } from '../fields.ts'
import { findUnmet } from '../needs.ts'
import type { ZoneRecord } from '../record-output.ts'
import type { RecordData } from '../types/rule.ts'
import { type Difference, differenceOf, identityOf } from './diff.ts'
import { fitTtls } from './fit-ttls.ts'
import { managedMark } from './format.ts'
import type { Note } from './parse.ts'
import { refuse, type WantedRecord, type ZoneFile } from './read-zone-file.ts'

export type Plan = Difference<ZoneRecord, WantedRecord> & {
  /** Skipped lines. */
  skipped: Note[]
  /** Lines whose record was adjusted. */
  adjusted: Note[]
}

/**
 * The changes of the import. With `skip`, records of the file that conflict are among the skipped lines.
 * @throws AppError `invalid_input` for records of the file that conflict.
 */
export function* planImport(file: ZoneFile, present: ZoneRecord[], skip = false): Generator<void, Plan> {
  const managed = present.filter((record) => record.managed)
  const { records, skipped } = yield* passOver(file.records, managed)
  yield
  const proofs = managed.filter(({ type }) => type === 'TXT')
  const { fitting, conflicting } = findConflicts(proofs, records)
  if (!skip) refuse(conflicting)
  yield
  const timed = fitTtls(fitting)
  yield
  const commented = fitComments(timed.records)
  yield
  return {
    ...differenceOf(
      present.filter((record) => !record.managed),
      commented.records,
    ),
    skipped: [...file.skipped, ...skipped, ...conflicting].toSorted((a, b) => a.line - b.line),
    adjusted: [...file.adjusted, ...timed.adjusted, ...commented.adjusted].toSorted(
      (a, b) => a.line - b.line,
    ),
  }
}

/** Leaves out records that conflict with those before them, and those that lack another one at their name. */
function findConflicts(
  proofs: ZoneRecord[],
  records: WantedRecord[],
): { fitting: WantedRecord[]; conflicting: Note[] } {
  const clashes = findClashes<ZoneRecord | WantedRecord>([...proofs, ...records])
  const clashing = new Set(clashes.map(({ record }) => record))
  const coexisting = records.filter((record) => !clashing.has(record))
  const unmet = findUnmet(coexisting)
  const lacking = new Set(unmet.map(({ record }) => record))
  return {
    fitting: coexisting.filter((record) => !lacking.has(record)),
    conflicting: [...clashes, ...unmet].flatMap(({ record, message }) =>
      'line' in record ? { line: record.line, message } : [],
    ),
  }
}

/** Leaves out managed records, and duplicates in the file. */
function* passOver(
  wanted: WantedRecord[],
  managed: ZoneRecord[],
): Generator<void, { records: WantedRecord[]; skipped: Note[] }> {
  const written = new Set(managed.map(identityOf))
  const isManaged = (record: WantedRecord) =>
    record.comment === managedMark || written.has(identityOf(record))
  // Managed addresses give way to a team's own: beside those, the same addresses are the team's too.
  const pointed = new Set(
    wanted.filter((record) => leadsElsewhere(record) && !isManaged(record)).map(({ fqdn }) => fqdn),
  )
  const seen = new Set<string>()
  const records: WantedRecord[] = []
  const skipped: Note[] = []
  for (const record of wanted) {
    const { line, fqdn, type, comment } = record
    const identity = identityOf(record)
    const givesWay = written.has(identity) && type !== 'TXT' && pointed.has(fqdn)
    if (isManaged(record) && !givesWay) {
      skipped.push({ line, message: `${fqdn} ${type}: this record is managed` })
    } else if (seen.has(identity)) {
      skipped.push({ line, message: `${fqdn} ${type}: duplicate in the file` })
    } else records.push(comment === managedMark ? { ...record, comment: null } : record)
    seen.add(identity)
    yield
  }
  return { records, skipped }
}

function leadsElsewhere({ type }: RecordData): boolean {
  return ['A', 'AAAA', 'ALIAS', 'CNAME'].includes(type)
}

function fitComments(records: WantedRecord[]): { records: WantedRecord[]; adjusted: Note[] } {
  const max = commentSchema.maxLength ?? Number.POSITIVE_INFINITY
  const isLong = ({ comment }: WantedRecord) => comment !== null && comment.length > max
  return {
    records: records.map((record) =>
      isLong(record) ? { ...record, comment: record.comment?.slice(0, max).toWellFormed() ?? null } : record,
    ),
    adjusted: records.filter(isLong).map(({ line, fqdn, type }) => ({
      line,
      message: `${fqdn} ${type}: its comment is cut at ${max} characters`,
    })),
  }
}
