/** The parameters of SVCB and HTTPS records, in the order of their keys (RFC 9460, section 2). */
import { bytesOf, tokenOf, tokensOf } from '../master-text.ts'
import type { Problem } from '../record-names.ts'
import type { DataReader } from './rule.ts'
import { type KeyRule, keyNumber, keyRules, keyText } from './svc-keys.ts'

/** A parameter as in a message. */
export type SvcParam = { key: number; data: Buffer }

/** The parameters of tokens such as `alpn=h2,h3`, whose escapes are unresolved. */
export function readParams(tokens: string[]): SvcParam[] | Problem {
  const params: SvcParam[] = []
  for (const token of tokens) {
    const param = readParam(token)
    if ('problem' in param) return param
    if (params.some(({ key }) => key === param.key)) {
      return { problem: `must have ${keyText(param.key)} once only` }
    }
    params.push(param)
  }
  return checkTogether(params) ?? params.toSorted((a, b) => a.key - b.key)
}

/** The parameters at the end of data (section 2.2). */
export function decodeParams(reader: DataReader): SvcParam[] | Problem {
  const params: SvcParam[] = []
  while (reader.left() > 0) {
    const key = reader.short()
    const param = { key, data: reader.bytes(reader.short()) }
    if (key <= (params.at(-1)?.key ?? -1))
      return { problem: 'has parameters that are not in the order of their keys' }
    if (!isWellFormed(param)) return { problem: `has a malformed value of ${keyText(key)}` }
    params.push(param)
  }
  return params
}

/** Whether the text of a parameter says all of it. */
function isWellFormed({ key, data }: SvcParam): boolean {
  const { unitBytes = 1 } = keyRules.get(key) ?? {}
  if (data.length % unitBytes > 0) return false
  const [token = ''] = tokensOf(formatParam({ key, data })) ?? []
  const read = readParam(token)
  return !('problem' in read) && read.data.equals(data)
}

/** The canonical text of a parameter. */
export function formatParam({ key, data }: SvcParam): string {
  const value = keyRules.get(key)?.format?.(data) ?? data
  return value.length === 0 ? keyText(key) : `${keyText(key)}=${tokenOf(value)}`
}

function readParam(token: string): SvcParam | Problem {
  const [, word = '', , written] = /^([^=]*)(=(.*))?$/s.exec(token) ?? []
  const key = keyNumber(word)
  if (typeof key !== 'number') return key
  const bytes = bytesOf(written ?? '')
  if (!bytes) return { problem: `must have valid escapes in ${word}` }
  const data = dataOf(keyRules.get(key), bytes)
  if (data === undefined) {
    const { takes, example } = keyRules.get(key) ?? {}
    return { problem: `must have ${takes} as ${keyText(key)}: ${example}` }
  }
  return { key, data }
}

function dataOf(rule: KeyRule | undefined, bytes: Buffer): Buffer | undefined {
  return rule ? rule.read(bytes) : bytes
}

/** The requirements of parameters of each other (sections 7.1.1 and 8). */
function checkTogether(params: SvcParam[]): Problem | undefined {
  const keys = new Set(params.map(({ key }) => key))
  if (keys.has(2) && !keys.has(1)) return { problem: 'must have alpn beside no-default-alpn' }
  const mandatory = params.find(({ key }) => key === 0)?.data ?? Buffer.alloc(0)
  for (let at = 0; at < mandatory.length; at += 2) {
    const key = mandatory.readUInt16BE(at)
    if (!keys.has(key)) return { problem: `must have ${keyText(key)}, which it says is mandatory` }
  }
  return undefined
}
