/** NAPTR: rules that rewrite a name step by step (RFC 3403, section 4). */
import { bytesOf, nameOf, quote, tokensOf } from '../master-text.ts'
import { type Problem, readTarget } from '../record-names.ts'
import type { TypeRule } from './rule.ts'
import { absolute, nameBytes, targetOf } from './target.ts'

type Naptr = {
  order: number
  preference: number
  /** Flags, services and the regular expression. */
  texts: Buffer[]
  /** The next name, `.` for none. */
  replacement: string
}

/** The longest character string (RFC 1035, section 3.3). */
const maxStringBytes = 255

const shape =
  'must be order, preference, flags, services, a regular expression and a name, or . for none: ' +
  '100 10 "S" "SIP+D2U" "" _sip._udp.example.com'

export const naptr: TypeRule = {
  numbers: [],
  readValue(text) {
    const read = readNaptr(text)
    return 'problem' in read ? read : [...headOf(read), read.replacement].join(' ')
  },
  dataBytes({ value }) {
    const { texts, replacement } = stored(value)
    return 4 + texts.reduce((sum, each) => sum + 1 + each.length, 0) + nameBytes(replacement)
  },
  text: {
    takes: ['an order', 'a preference', 'flags', 'services', 'a regular expression', 'a name'],
    read([order = '', preference = '', ...rest], origin) {
      const name = nameOf(rest.at(-1) ?? '', origin)
      if (name === undefined) return 'has a name that needs escapes'
      const texts = rest.slice(0, -1).map(bytesOf)
      const known = texts.filter((each) => each !== undefined)
      if (known.length < texts.length) return 'has an invalid escape'
      return { value: [order, preference, ...known.map(quote), name].join(' ') }
    },
    write({ value }) {
      const read = stored(value)
      return [...headOf(read), absolute(read.replacement)].join(' ')
    },
  },
  wire: {
    read(reader) {
      const numbers = [reader.short(), reader.short()]
      const texts = [reader.string(), reader.string(), reader.string()]
      return { value: [...numbers, ...texts.map(quote), reader.name()].join(' ') }
    },
    leastBytes: 8,
    write(writer, { value }) {
      const { order, preference, texts, replacement } = stored(value)
      writer.short(order)
      writer.short(preference)
      for (const text of texts) {
        writer.byte(text.length)
        writer.bytes(text)
      }
      // RFC 3597, section 4: not compressed.
      writer.name(targetOf(replacement), false)
    },
  },
}

function headOf({ order, preference, texts }: Naptr): string[] {
  return [String(order), String(preference), ...texts.map(quote)]
}

function stored(value: string): Naptr {
  const read = readNaptr(value)
  if ('problem' in read) throw new RangeError(`The NAPTR record ${read.problem}.`)
  return read
}

function readNaptr(text: string): Naptr | Problem {
  const [order = '', preference = '', ...rest] = tokensOf(text) ?? []
  const texts = rest.slice(0, 3).map(bytesOf)
  const known = texts.filter((each) => each !== undefined)
  const numbers = [order, preference]
  const areNumbers = numbers.every((each) => /^\d{1,5}$/.test(each) && Number(each) <= 65_535)
  if (rest.length !== 4 || known.length < 3 || !areNumbers) return { problem: shape }
  if (known.some((each) => each.length > maxStringBytes)) {
    return { problem: `must have texts of at most ${maxStringBytes} bytes` }
  }
  const [flags, , expression] = known
  if (!/^[a-z0-9]*$/i.test(flags?.toString('latin1') ?? '')) {
    return { problem: 'must have letters and digits as flags, such as "S" or "u"' }
  }
  const name = rest[3] ?? ''
  const replacement = name === '.' ? name : readTarget(name)
  if (typeof replacement !== 'string') return replacement
  if (replacement !== '.' && expression?.length !== 0) {
    return { problem: 'must have a regular expression or a name, not both: "" or . for the other one' }
  }
  return { order: Number(order), preference: Number(preference), texts: known, replacement }
}
