/** CAA: certificate authorities for a name (RFC 8659). */

import { parseUrl } from '../../../lib/names/parse-url.ts'
import { bytesOf, quote } from '../master-text.ts'
import type { Problem } from '../record-names.ts'
import type { DataReader, DataWriter, Rdata, TypeRule } from './rule.ts'

const parts = /^(\d{1,3})[ \t]+([a-z0-9]{1,255})[ \t]+(?:"([^"]*)"|([^\s"]+))$/i

/** No quotes and backslashes, which would need escapes; URLs and names contain neither. */
const printable = /^[ !#-[\]-~]*$/

const maxLength = 2_000

export const caa: TypeRule = {
  numbers: [],
  readValue(text) {
    const [, flags, tag = '', quoted, bare = ''] = parts.exec(text) ?? []
    if (Number(flags ?? 256) > 255) {
      return {
        problem: 'must be flags (0, or 128 for critical), a tag and a value: 0 issue "letsencrypt.org"',
      }
    }
    const given = quoted ?? bare
    if (!printable.test(given) || given.length > maxLength) {
      return {
        problem:
          `must have a value of at most ${maxLength} printable ASCII characters, ` +
          'without quotes or backslashes inside',
      }
    }
    const value = checkProperty(tag.toLowerCase(), given)
    return typeof value === 'string' ? `${Number(flags)} ${tag.toLowerCase()} "${value}"` : value
  },
  dataBytes: ({ value }) => value.length,
  text: {
    takes: ['flags', 'a tag', 'a value'],
    read([flags = '', tag = '', text = '']) {
      const value = bytesOf(text)
      return value ? { value: `${flags} ${tag} ${quote(value)}` } : 'has an invalid escape'
    },
    write: ({ value }) => value,
  },
  wire: {
    read: readProperty,
    leastBytes: 2,
    write: (writer, { value }) => writeProperty(writer, value),
  },
}

/** Section 4.1. */
function readProperty(reader: DataReader): Rdata | string {
  const flags = reader.byte()
  const tag = reader.string().toString('latin1')
  if (!/^[a-z0-9]+$/i.test(tag)) return 'has a tag that is not letters and digits'
  return { value: `${flags} ${tag} ${quote(reader.bytes(reader.left()))}` }
}

/** Section 4.1. */
function writeProperty(writer: DataWriter, value: string): void {
  const [, flags = '', tag = '', text] = /^(\d{1,3}) ([a-z0-9]{1,255}) "(.*)"$/s.exec(value) ?? []
  if (text === undefined) throw new RangeError('The CAA record has no value.')
  writer.byte(Number(flags))
  writer.byte(tag.length)
  writer.bytes(Buffer.from(tag))
  writer.bytes(Buffer.from(text))
}

/** Properties with a syntax of their own; unknown ones are kept as they are (section 4.1). */
function checkProperty(tag: string, value: string): string | Problem {
  if (tag === 'issue' || tag === 'issuewild') return readIssuer(value)
  if (tag === 'iodef' && !isContact(value)) {
    return {
      problem: 'must have a URL for iodef: mailto:security@example.com, https://example.com/report',
    }
  }
  return value
}

/** Section 4.4. */
function isContact(value: string): boolean {
  return /^(?:mailto:|https?:\/\/)[^\s]+$/i.test(value) && parseUrl(value) !== undefined
}

const domainName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

const parameter = /^([a-z0-9][a-z0-9-]*)[ \t]*=[ \t]*([!-:<-~]*)$/i

/** Section 4.2: a name, or none, then parameters. */
function readIssuer(value: string): string | Problem {
  const [first = '', ...rest] = value.split(';').map((each) => each.trim())
  const issuer = first.toLowerCase()
  const parameters = rest.filter((each) => each !== '').map((each) => parameter.exec(each))
  if ((issuer !== '' && !domainName.test(issuer)) || parameters.includes(null)) {
    return {
      problem:
        'must name a certificate authority, or none with ";": ' +
        'letsencrypt.org, or letsencrypt.org; validationmethods=dns-01',
    }
  }
  const written = parameters.map((found) => `${found?.[1]}=${found?.[2]}`)
  return written.length === 0 && issuer === '' ? ';' : [issuer, ...written].join('; ')
}
