/** The generic form of data: that of messages in hexadecimal, `\# 4 C0000201` (RFC 3597, section 5). */
import type { Word } from './entries.ts'

/** Whether the tokens after the type are in that form. */
export function isGeneric([first]: Word[]): boolean {
  return first?.text === '\\#' && !first.quoted
}

/** The bytes of tokens in that form. Returns the problem, to follow the type. */
export function genericBytes([, length, ...rest]: Word[]): Buffer | string {
  const hex = rest.map(({ text }) => text).join('')
  const isHex = /^(?:[\da-f]{2})*$/i.test(hex) && rest.every(({ quoted }) => !quoted)
  if (!length || length.quoted || !/^\d{1,5}$/.test(length.text) || !isHex) {
    return 'takes \\#, the number of bytes, and these in hexadecimal, two digits each'
  }
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length === Number(length.text)) return bytes
  return `has the length ${Number(length.text)}, but its data has the length ${bytes.length}`
}
