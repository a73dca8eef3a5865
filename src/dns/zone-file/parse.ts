/** Parses master files (RFC 1035, section 5, with `$TTL` of RFC 2308, section 4). */
import { isAtOrBelow } from '../../names/domain-name.ts'
import { defaultTtl } from '../fields.ts'
import { type RecordType, recordTypes } from '../types/rule.ts'
import { maxRecords } from '../zone-size.ts'
import { type Entry, type Problem, readEntries, type Word } from './entries.ts'
import { managedMark } from './format.ts'
import { type Rdata, readRdata } from './rdata.ts'
import { nameOf, secondsOf } from './text.ts'

/** A record of the file; `ttl` in seconds, of any length. */
export type FileRecord = Rdata & {
  line: number
  fqdn: string
  type: RecordType
  ttl: number
  comment: string | undefined
}

/** A note about a line for the user. */
export type Note = Problem

export type ParsedZone = {
  records: FileRecord[]
  /** Records that zones here have of their own: SOA and NS at the apex. */
  skipped: Note[]
  /** Problems, up to a limit. */
  problems: Problem[]
}

const maxProblems = 100

/** The maximum of records, which limits the work. */
const maxWords = 15 * maxRecords

type State = { origin: string; owner?: string; usualTtl?: number; lastTtl?: number }

/** The records of `text` for the zone at `apex`, the initial origin. */
export function* parseZone(text: string, apex: string): Generator<void, ParsedZone> {
  const zone: ParsedZone = { records: [], skipped: [], problems: [] }
  const state: State = { origin: apex }
  let words = 0
  let own = 0
  for (const entry of readEntries(text)) {
    const before = zone.records.length
    const problem = 'message' in entry ? entry.message : readEntry(entry, apex, state, zone)
    // Managed records of an export are skipped.
    if (zone.records.length > before && zone.records.at(-1)?.comment !== managedMark) own += 1
    if (problem !== undefined) zone.problems.push({ line: entry.line, message: problem })
    words += 'words' in entry ? 1 + entry.words.length : 1
    if (Math.max(own, zone.skipped.length) > maxRecords || words > maxWords) {
      zone.problems.push({
        line: entry.line,
        message: `is past the ${maxRecords} records that a zone may have`,
      })
      break
    }
    if (zone.problems.length === maxProblems) break
    yield
  }
  return zone
}

/** Adds the entry's record to the zone. Returns the problem, if any. */
function readEntry(entry: Entry, apex: string, state: State, zone: ParsedZone): string | undefined {
  const [first, ...rest] = entry.words
  if (!first) return readAlias(entry, apex, state, zone)
  if (!entry.indented && !first.quoted && first.text.startsWith('$')) return readDirective(entry.words, state)
  if (!entry.indented) {
    const owner = first.quoted ? undefined : nameOf(first.text, state.origin)
    if (owner === undefined) return `${first.text} is not a valid record name here`
    state.owner = owner
  }
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

type Header = { type: string; words: Word[] }

/** What stands between a name and the data: TTL and class, either or none, in either order, and the type. */
function readHeader(words: Word[]): (Header & { ttl: number | undefined }) | string {
  let ttl: number | undefined
  let hasClass = false
  for (const [at, { text, quoted }] of words.entries()) {
    if (quoted) break
    if (/^\d/.test(text) && ttl === undefined) {
      ttl = secondsOf(text)
      if (ttl === undefined) return `${text} is not a TTL`
    } else if (/^(?:IN|CLASS1)$/i.test(text) && !hasClass) hasClass = true
    else if (/^(?:CH|CS|HS|CLASS\d+)$/i.test(text)) return `is of class ${text}: only IN can be kept`
    else if (/^[a-z][a-z0-9-]*$/i.test(text))
      return { type: text.toUpperCase(), words: words.slice(at + 1), ttl }
    else break
  }
  return 'has no type of a record'
}

type Found = Header & Pick<FileRecord, 'line' | 'fqdn' | 'ttl' | 'comment'>

function addRecord(
  { type, words, ...found }: Found,
  apex: string,
  state: State,
  zone: ParsedZone,
): string | undefined {
  if (!isAtOrBelow(found.fqdn, apex)) return `${found.fqdn} is not at or below ${apex}`
  // Some exports write the SOA's name without the trailing dot.
  if (type === 'SOA' || (type === 'NS' && found.fqdn === apex)) {
    zone.skipped.push({ line: found.line, message: `${type} of ${apex}: the service has its own` })
    return undefined
  }
  const known = recordTypes.find((each) => each === type)
  if (!known) return `${type} records can't be kept: only ${recordTypes.join(', ')}`
  const rdata = readRdata(known, words, state.origin)
  if (typeof rdata === 'string') return `${type} ${rdata}`
  zone.records.push({ ...found, type: known, ...rdata })
  return undefined
}

/** `$ORIGIN` and `$TTL`; others would include files or generate records. */
function readDirective([directive, argument, ...more]: Word[], state: State): string | undefined {
  const name = directive?.text.toUpperCase()
  const text = argument?.quoted || more.length > 0 ? undefined : argument?.text
  if (name === '$ORIGIN') {
    const origin = text === undefined ? undefined : nameOf(text, state.origin)
    if (origin === undefined) return '$ORIGIN takes a name'
    state.origin = origin
  } else if (name === '$TTL') {
    const ttl = text === undefined ? undefined : secondsOf(text)
    if (ttl === undefined) return '$TTL takes a number of seconds'
    state.usualTtl = ttl
  } else return `${name} is not supported: only $ORIGIN and $TTL`
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
  if (fqdn === undefined) return `${owner} is not a valid record name here`
  const words = [{ text: target, quoted: false }]
  return addRecord({ type: 'ALIAS', words, line, fqdn, ttl: Number(ttl), comment }, apex, state, zone)
}
