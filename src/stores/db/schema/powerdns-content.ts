/** The text that PowerDNS serves for a record, by its type, as its generic SQL backend keeps it. */
import { type SQL, sql } from 'drizzle-orm'
import { type RecordType, recordTypes } from '../../../lib/names/record-types.ts'

const quoted = (text: SQL): SQL => sql`'"' || replace(replace(${text}, '\\', '\\\\'), '"', '\\"') || '"'`

/**
 * PowerDNS takes some characters for the end of a parameter, also in quotes: they are written as numbers (RFC
 * 9460, appendix A).
 */
const numbered = [
  [';', String.raw`\059`],
  ['(', String.raw`\040`],
  [')', String.raw`\041`],
] as const

const value = numbered.reduce<SQL>(
  (text, [character, number]) => sql`replace(${text}, ${sql.raw(`'${character}', '${number}'`)})`,
  sql`record.value`,
)

/**
 * A parameter of a number and without a value (RFC 9460, section 2.1), outside of quotes: PowerDNS reads it
 * with an empty value alone, and otherwise no record of its name.
 */
const bareKey = sql.raw(String.raw`'( key[0-9]+)(?= |$)(?=(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*$)'`)

const withParams = sql`concat_ws(' ', record.priority,
      regexp_replace(${value}, ${bareKey}, ${sql.raw(String.raw`'\1=""'`)}, 'g'))`

/** PowerDNS keeps a size in centimetres as 32 bits, and says another one where RFC 1876 has more. */
const isTooFar = sql`(record.type = 'LOC' and record.value ~ ' [5-9]0{7}[.]')`

/** Where every field of the record but the priority, which has a column of its own, is in its value. */
const asItIs = sql`record.value`

const parts = sql`coalesce(
      (select string_agg(${quoted(sql`string`)}, ' ' order by ordinal)
        from unnest(record.strings) with ordinality as part(string, ordinal)),
      ${quoted(sql`record.value`)})`

const service = sql`concat_ws(' ', record.weight, record.port, record.value)`

/** The contents by type, so that none can be added without saying what PowerDNS is to serve. */
export const powerdnsContents: Record<RecordType, SQL> = {
  A: asItIs,
  AAAA: asItIs,
  ALIAS: asItIs,
  CAA: asItIs,
  CNAME: asItIs,
  DS: asItIs,
  HTTPS: withParams,
  LOC: asItIs,
  MX: asItIs,
  NAPTR: asItIs,
  NS: asItIs,
  PTR: asItIs,
  SRV: service,
  SSHFP: asItIs,
  SVCB: withParams,
  TLSA: asItIs,
  TXT: parts,
}

const written = [parts, withParams, service].map((content) => {
  const types = recordTypes.filter((type) => powerdnsContents[type] === content).map((type) => `'${type}'`)
  const isOne = types.length === 1
  return sql`
    when record.type ${sql.raw(isOne ? `= ${types[0]}` : `in (${types.join(', ')})`)} then ${content}`
})

/** The content of the row `record`; null for one that PowerDNS can't serve. */
export const powerdnsContent = sql`case
    when ${isTooFar} then null${sql.join(written)}
    else record.value end`

/** Its type; null where there is no content. */
export const powerdnsType = sql`case when ${isTooFar} then null else record.type end`
