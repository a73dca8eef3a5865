/** Shared by types whose data is a few numbers, then bytes in hexadecimal: DS, SSHFP, TLSA. */
import type { Problem } from '../record-names.ts'
import type { RecordValue, TypeRule } from './rule.ts'

/** A number before the bytes. */
type Field = { name: string; bytes: 1 | 2 }

type Layout = {
  fields: readonly Field[]
  /** The meaning of the bytes, such as a digest. */
  data: string
  /** A value. */
  example: string
  /** The problem with numbers and bytes that don't match, to follow the field. */
  check?(numbers: number[], data: Buffer): Problem | undefined
}

type HexRule = Pick<TypeRule, 'numbers' | 'readValue' | 'dataBytes' | 'text' | 'wire'>

/** The rule of a type of this layout. A value is the numbers and the bytes in lower case: `3 1 1 0d6f`. */
export function hexRule({ fields, data: what, example, check }: Layout): HexRule {
  const takes = [...fields.map(({ name }) => name), `${what} in hexadecimal`]
  const problem = `must be ${takes.slice(0, -1).join(', ')} and ${takes.at(-1)}: ${example}`
  const fieldBytes = fields.reduce((sum, { bytes }) => sum + bytes, 0)

  return {
    numbers: [],
    readValue(text) {
      const read = split(text, fields)
      if (!read) return { problem }
      const wrong = check?.(read.numbers, read.data)
      return wrong ?? [...read.numbers, read.data.toString('hex')].join(' ')
    },
    dataBytes: ({ value }) => fieldBytes + (value.length - value.lastIndexOf(' ') - 1) / 2,
    text: {
      takes,
      // Long data may be in several tokens.
      repeats: true,
      read: (texts) => ({ value: texts.join(' ') }),
      write: ({ value }) => value,
    },
    wire: {
      read(reader) {
        const numbers = fields.map(({ bytes }) => (bytes === 1 ? reader.byte() : reader.short()))
        const bytes = reader.bytes(Math.max(1, reader.left()))
        return { value: [...numbers, bytes.toString('hex')].join(' ') }
      },
      leastBytes: fieldBytes + 1,
      write(writer, { value }: RecordValue) {
        const read = split(value, fields)
        if (!read) throw new RangeError('The record has no numbers and data.')
        for (const [index, { bytes }] of fields.entries()) {
          const number = read.numbers[index] ?? 0
          if (bytes === 1) writer.byte(number)
          else writer.short(number)
        }
        writer.bytes(read.data)
      },
    },
  }
}

function split(text: string, fields: readonly Field[]): { numbers: number[]; data: Buffer } | undefined {
  const words = text.split(/[ \t]+/).filter((word) => word !== '')
  const digits = words.slice(0, fields.length)
  const hex = words.slice(fields.length).join('')
  const fits = fields.every(({ bytes }, index) => {
    const word = digits[index] ?? ''
    return /^\d{1,5}$/.test(word) && Number(word) < 256 ** bytes
  })
  if (!fits || !/^(?:[\da-f]{2})+$/i.test(hex)) return undefined
  return { numbers: digits.map(Number), data: Buffer.from(hex, 'hex') }
}
