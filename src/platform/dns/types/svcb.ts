/** SVCB and HTTPS: where and how to reach a service (RFC 9460). */
import { bytesOf, tokensOf } from '../master-text.ts'
import { type Problem, readTarget } from '../record-names.ts'
import type { Rdata, TypeRule } from './rule.ts'
import { decodeParams, formatParam, readParams, type SvcParam } from './svc-params.ts'
import { absolute, leadsToItself, nameBytes, targetOf, withTarget } from './target.ts'

/** `.`: the record's own name, or with priority 0 no service (section 2.5). */
type Binding = { target: string; params: SvcParam[] }

/** The longest text of a value, which no record in use comes near. */
const maxCharacters = 16_000

export const svcb: TypeRule = {
  numbers: ['priority'],
  readValue(text) {
    const read = readBinding(text)
    return 'problem' in read ? read : [read.target, ...read.params.map(formatParam)].join(' ')
  },
  check(record) {
    if (record.priority !== 0) return undefined
    const { target, params } = stored(record.value)
    // Section 2.4.2.
    if (params.length > 0) {
      const message = 'must have no parameters if the priority is 0, which makes it an alias: only the target'
      return { path: 'value', message }
    }
    return leadsToItself({ ...record, value: target })
  },
  leadsTo: ({ value }) => targetIn(value),
  dataBytes({ value }) {
    const { target, params } = stored(value)
    return 2 + nameBytes(target) + params.reduce((sum, { data }) => sum + 4 + data.length, 0)
  },
  text: {
    takes: ['a priority', 'a target'],
    repeats: true,
    hasPairs: true,
    read([priority = '', name = '', ...params], origin) {
      const read = withTarget(name, origin, { priority })
      return typeof read === 'string' ? read : withParams(read, params)
    },
    write({ value, priority }) {
      const target = targetIn(value)
      return `${priority} ${absolute(target)}${value.slice(target.length)}`
    },
  },
  wire: {
    read(reader) {
      const [priority, target] = [reader.short(), reader.name()]
      const params = decodeParams(reader)
      return 'problem' in params
        ? params.problem
        : { priority, value: [target, ...params.map(formatParam)].join(' ') }
    },
    leastBytes: 3,
    write(writer, { value, priority }) {
      const { target, params } = stored(value)
      writer.short(priority ?? 0)
      // Section 2.2: not compressed.
      writer.name(targetOf(target), false)
      for (const { key, data } of params) {
        writer.short(key)
        writer.short(data.length)
        writer.bytes(data)
      }
    },
  },
}

function withParams(read: Rdata, params: string[]): Rdata | string {
  if (params.some((param) => bytesOf(param) === undefined)) return 'has an invalid escape'
  return { ...read, value: [read.value, ...params.map((param) => `"${param}"`)].join(' ') }
}

function targetIn(value: string): string {
  return value.split(' ', 1)[0] ?? value
}

function stored(value: string): Binding {
  const read = readBinding(value)
  if ('problem' in read) throw new RangeError(`The record ${read.problem}.`)
  return read
}

function readBinding(text: string): Binding | Problem {
  if (text.length > maxCharacters) return { problem: `must be at most ${maxCharacters} characters` }
  const [name = '', ...written] = tokensOf(text) ?? []
  const target = name === '.' ? name : readTarget(name)
  if (typeof target !== 'string') {
    return name === ''
      ? { problem: 'must be a target, or . for the name itself, and parameters: . alpn=h2,h3 port=8443' }
      : target
  }
  const params = readParams(written)
  return 'problem' in params ? params : { target, params }
}
