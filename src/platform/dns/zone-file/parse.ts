/** Parses master files (RFC 1035, section 5, with `$TTL` of RFC 2308, section 4). */
import { isAtOrBelow } from '../../../lib/names/domain-name.ts'
import { type RecordType, recordTypes } from '../../../lib/names/record-types.ts'
import { defaultTtl } from '../fields.ts'
import { nameOf, secondsOf } from '../master-text.ts'
import { typeName } from '../type-numbers.ts'
import type { Rdata } from '../types/rule.ts'
import { maxRecords } from '../zone-size.ts'
import { type Entry, type Problem, readEntries, type Unreadable, type Word } from './entries.ts'
import { managedMark } from './format.ts'
import { readRdata } from './rdata.ts'
import { shorten } from './shorten.ts'

/** A record of the file; `ttl` in seconds, of any length. */
export type FileRecord = Omit<Rdata, 'note'> & {
  line: number
  fqdn: string
  type: RecordType
  ttl: number
  comment: string | undefined
  /** Say, for people, which parts aren't kept as they are written. */
  notes: string[]
}

/** A note about a line for the user. */
export type Note = Pick<Problem, 'line' | 'message'>

export type ParsedZone = {
  records: FileRecord[]
  /** Records that zones here have of their own: SOA and NS at the apex. */
  skipped: Note[]
  /** Problems, up to a limit. */
  problems: Problem[]
}

/** How many problems end the parsing, unless their lines are skipped. */
const maxProblems = 100

/** The maximum of records, which limits the work. */
const maxWords = 15 * maxRecords

type State = {
  origin: string
  /** Null if the name of the last record can't be read. */
  owner?: string | null
  usualTtl?: number
  lastTtl?: number
}

/** The records of `text` for the zone at `apex`, the initial origin. With `skip` every line is read. */
export function* parseZone(text: string, apex: string, skip = false): Generator<void, ParsedZone> {
  const zone: ParsedZone = { records: [], skipped: [], problems: [] }
  const state: State = { origin: apex }
  let words = 0
  let own = 0
  for (const entry of readEntries(text)) {
    const before = zone.records.length
    const problem = problemOf(entry, apex, state, zone)
    // Managed records of an export are skipped.
    if (zone.records.length > before && zone.records.at(-1)?.comment !== managedMark) own += 1
    if (problem) zone.problems.push(problem)
    words += 'words' in entry ? 1 + entry.words.length : 1
    const lines = Math.max(own, zone.skipped.length, zone.problems.length)
    if (lines > maxRecords || words > maxWords) {
      zone.problems.push({
        line: entry.line,
        message: `is past the ${maxRecords} records that a zone may have`,
        decidesRest: true,
      })
      break
    }
    if (!skip && zone.problems.length === maxProblems) break
    yield
  }
  return zone
}

function problemOf(
  entry: Entry | Unreadable,
  apex: string,
  state: State,
  zone: ParsedZone,
): Problem | undefined {
  if ('message' in entry) {
    const { line, message, indented, decidesRest = false } = entry
    if (!indented) state.owner = null
    return { line, message, decidesRest }
  }
  const message = readEntry(entry, apex, state, zone)
  if (message === undefined) return undefined
  const isSetting = /^\$(?:ORIGIN|TTL)$/i.test(entry.words[0]?.text ?? '')
  return { line: entry.line, message, decidesRest: isSetting }
}

/** Adds the entry's record to the zone. Returns the problem, if any. */
function readEntry(entry: Entry, apex: string, state: State, zone: ParsedZone): string | undefined {
  const [first, ...rest] = entry.words
  if (!first) return readAlias(entry, apex, state, zone)
  if (!entry.indented && !first.quoted && first.text.startsWith('$')) return readDirective(entry.words, state)
  if (!entry.indented) {
    const owner = first.quoted ? undefined : nameOf(first.text, state.origin)
    state.owner = owner ?? null
    if (owner === undefined) return `${shorten(first.text)} is not a valid record name here`
  }
  if (state.owner === null) return "belongs to the name of a line before it that can't be read"
  if (state.owner === undefined) return 'begins with blank space, but there is no name before it'
  const header = readHeader(entry.indented ? entry.words : rest)
  if (typeof header === 'string') return header
  const ttl = header.ttl ?? state.usualTtl ?? state.lastTtl ?? defaultTtl
  state.lastTtl = header.ttl ?? state.lastTtl ?? defaultTtl
  return addRecord(
    { ...header, line: entry.line, fqdn: state.owner, ttl, comment: entry.comment },
    apex,
    state,
    zone,
  )
}

type Header = { type: string; words: Word[]; notes: string[] }

/** As exports of Microsoft DNS write it: `[AGE:3636591]`, `[Aging:3636591]`. */
const agingMark = /^\[(?:AGE|Aging):\d+\]$/i

/** The fields between a name and the data: TTL and class, either or none, in either order, and the type. */
function readHeader(words: Word[]): (Header & { ttl: number | undefined }) | string {
  let ttl: number | undefined
  let hasClass = false
  const notes: string[] = []
  for (const [at, { text, quoted }] of words.entries()) {
    if (quoted) break
    if (/^\d/.test(text) && ttl === undefined) {
      ttl = secondsOf(text)
      if (ttl === undefined) return `${shorten(text)} is not a TTL`
    } else if (/^(?:IN|CLASS1)$/i.test(text) && !hasClass) hasClass = true
    else if (/^(?:CH|CS|HS|CLASS\d+)$/i.test(text)) return `is of class ${shorten(text)}: only IN can be kept`
    else if (agingMark.test(text)) {
      notes.push(`${shorten(text)}, in which Microsoft DNS keeps the age of a dynamic record, is left out`)
    } else if (/^[a-z][a-z0-9-]*$/i.test(text))
      return { type: text.toUpperCase(), words: words.slice(at + 1), ttl, notes }
    else if (text.startsWith('['))
      return `${shorten(text)} is a mark of another program, not of zone files: remove it`
    else break
  }
  return 'has no type of a record'
}

type Found = Header & Pick<FileRecord, 'line' | 'fqdn' | 'ttl' | 'comment'>

/** RFC 7208, section 3.1: what SPF records had is in TXT records now. */
const obsolete = new Map([['SPF', 'TXT']])

/** Lines of Microsoft DNS that look like records. */
const lookups = new Map([
  ['WINS', 'has Microsoft DNS look names up by NetBIOS, and is no DNS record: remove the line'],
  ['WINSR', 'has Microsoft DNS look addresses up by NetBIOS, and is no DNS record: remove the line'],
  ['WINS-R', 'has Microsoft DNS look addresses up by NetBIOS, and is no DNS record: remove the line'],
])

function addRecord(
  { type: header, words, notes, ...found }: Found,
  apex: string,
  state: State,
  zone: ParsedZone,
): string | undefined {
  if (!isAtOrBelow(found.fqdn, apex)) return `${shorten(found.fqdn)} is not at or below ${apex}`
  const written = typeName(header)
  const type = obsolete.get(written) ?? written
  // Some exports write the SOA's name without the trailing dot.
  if (type === 'SOA' || (type === 'NS' && found.fqdn === apex)) {
    zone.skipped.push({ line: found.line, message: `${type} of ${apex}: the service has its own` })
    return undefined
  }
  const known = recordTypes.find((each) => each === type)
  const lookup = lookups.get(type)
  if (lookup !== undefined) return `${type} ${lookup}`
  if (!known) return `${shorten(type)} records can't be kept: only ${recordTypes.join(', ')}`
  const rdata = readRdata(known, words, state.origin)
  if (typeof rdata === 'string') return `${type} ${rdata}`
  const { note, ...data } = rdata
  const becomes =
    type === written ? [] : [`${written} records are obsolete (RFC 7208, section 3.1): it becomes ${type}`]
  zone.records.push({
    ...found,
    type: known,
    ...data,
    notes: [...notes, ...becomes, ...(note === undefined ? [] : [note])],
  })
  return undefined
}

/** `$ORIGIN` and `$TTL`; others would include files or generate records. */
function readDirective([directive, argument, ...more]: Word[], state: State): string | undefined {
  const name = directive?.text.toUpperCase() ?? ''
  const text = argument?.quoted || more.length > 0 ? undefined : argument?.text
  if (name === '$ORIGIN') {
    const origin = text === undefined ? undefined : nameOf(text, state.origin)
    if (origin === undefined) return '$ORIGIN takes a name'
    state.origin = origin
  } else if (name === '$TTL') {
    const ttl = text === undefined ? undefined : secondsOf(text)
    if (ttl === undefined) return '$TTL takes a number of seconds'
    state.usualTtl = ttl
  } else return `${shorten(name)} is not supported: only $ORIGIN and $TTL`
  return undefined
}

/** `; ALIAS name ttl target`, as exports write it. */
const aliasComment = /^ALIAS[ \t]+(\S+)[ \t]+(\d{1,10})[ \t]+([^\s;]+)[ \t]*(?:;[ \t]*(.*))?$/

function readAlias(
  { line, comment: text = '' }: Entry,
  apex: string,
  state: State,
  zone: ParsedZone,
): string | undefined {
  const [, owner, ttl, target = '', comment] = aliasComment.exec(text) ?? []
  if (owner === undefined) return undefined
  const fqdn = nameOf(owner, state.origin)
  if (fqdn === undefined) return `${shorten(owner)} is not a valid record name here`
  const words = [{ text: target, quoted: false, attached: false }]
  const found = { type: 'ALIAS', words, notes: [], line, fqdn, ttl: Number(ttl), comment }
  return addRecord(found, apex, state, zone)
}
