/** Names and texts in the syntax of master files (RFC 1035, section 5.1). */

/** The bytes of a token; undefined for an invalid escape. */
export function bytesOf(word: string): Buffer | undefined {
  let valid = true
  // One character a byte, so that escaped ones need no special case.
  const text = Buffer.from(word)
    .toString('latin1')
    .replace(/\\(\d{3}|.)/gs, (_, escaped: string) => {
      if (!/^\d/.test(escaped)) return escaped
      if (escaped.length < 3 || Number(escaped) > 255) valid = false
      return String.fromCharCode(Number(escaped) & 255)
    })
  return valid ? Buffer.from(text, 'latin1') : undefined
}

const quoteMark = 0x22
const backslash = 0x5c
const zero = 0x30

/** Quotes bytes, with `\DDD` for those that aren't printable ASCII. */
export function quote(bytes: Uint8Array): string {
  const text = Buffer.allocUnsafe(4 * bytes.length + 2)
  let at = text.writeUInt8(quoteMark, 0)
  for (const byte of bytes) {
    if (byte >= 0x20 && byte < 0x7f) {
      if (byte === quoteMark || byte === backslash) text[at++] = backslash
      text[at++] = byte
      continue
    }
    text[at++] = backslash
    text[at++] = zero + Math.floor(byte / 100)
    text[at++] = zero + (Math.floor(byte / 10) % 10)
    text[at++] = zero + (byte % 10)
  }
  text[at++] = quoteMark
  return text.toString('latin1', 0, at)
}

const plainBytes = /^[!#-'*-:<-[\]-~]+$/

/** Bytes as a token: quoted where quotes, escapes, blanks, comments or parentheses require it. */
export function tokenOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  return plainBytes.test(text) ? text : quote(bytes)
}

/**
 * The tokens of a value on one line, without their quotes, their escapes unresolved. A quote that begins
 * within a token is part of it. Undefined for a quote that isn't closed, and for a backslash at the end.
 */
export function tokensOf(text: string): string[] | undefined {
  const tokens = text.match(/(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/gs) ?? []
  const blanks = text.replaceAll(/(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/gs, '')
  if (blanks.trim() !== '') return undefined
  return tokens.map((token) => token.replaceAll(/(\\.)|"/gs, '$1'))
}

/**
 * The name of a token relative to `origin`, in lower case, without the trailing dot; `.` is the root.
 * Undefined for names that need escapes, such as a dot within a label.
 */
export function nameOf(word: string, origin: string): string | undefined {
  if (word === '@') return origin
  if (word === '.') return '.'
  if (/\\(?:\.|046)/.test(word)) return undefined
  const name = bytesOf(word)?.toString().toLowerCase()
  if (name === undefined) return undefined
  if (name.endsWith('.')) return name.slice(0, -1)
  return origin === '.' ? name : `${name}.${origin}`
}

/**
 * Seconds, also in BIND's notation (`1h30m`); undefined for others, and for more than 31 bits (RFC 2181,
 * section 8).
 */
export function secondsOf(word: string): number | undefined {
  if (!/^(?:\d{1,10}|(?:\d{1,10}[smhdw])+)$/i.test(word)) return undefined
  let seconds = 0
  for (const [, count, unit = 's'] of word.matchAll(/(\d+)([smhdw]?)/gi)) {
    seconds += Number(count) * (secondsIn.get(unit.toLowerCase()) ?? 1)
  }
  return seconds < 2 ** 31 ? seconds : undefined
}

const secondsIn = new Map([
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
])
