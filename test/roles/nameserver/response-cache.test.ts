/**
 * Long responses are written once for all names with the same content, and never for clients that can't
 * receive them.
 */
import { decode } from 'dns-packet'
import { describe, expect, it } from 'vitest'
import { answer } from '../../../src/roles/nameserver/answer/answer.ts'
import { createResponseCache } from '../../../src/roles/nameserver/response-cache.ts'
import { maxMessageBytes } from '../../../src/roles/nameserver/wire/byte-writer.ts'
import {
  answerWith,
  encode,
  isTooLong,
  udpLimit,
} from '../../../src/roles/nameserver/wire/encode-response.ts'
import { nameOf, type Question, readQuestion } from '../../../src/roles/nameserver/wire/question.ts'
import { query } from './client.ts'
import { familyOf, row } from './family.ts'

const many = Array.from({ length: 300 }, (_, index) => index)

const family = familyOf({ 'example.com': 'a' }, [
  ...many.map((n) => row({ fqdn: '*.wild.example.com', type: 'A', value: `198.51.${n >> 8}.${n & 255}` })),
  ...many.map((n) => row({ fqdn: '*.wild.example.com', type: 'TXT', value: `text ${n}`.repeat(4) })),
  ...many.map((n) =>
    row({ fqdn: '*.wild.example.com', type: 'MX', value: `m${n}.mail.wild.example.com`, priority: n }),
  ),
  ...many.map((n) => row({ fqdn: 'mx.example.com', type: 'MX', value: `${n}.example.com`, priority: n })),
  ...many.map((n) => row({ fqdn: '1.example.com', type: 'AAAA', value: `2001:db8::${n}` })),
  row({ fqdn: '*.alias.example.com', type: 'CNAME', value: 'mx.example.com' }),
  ...many.map((n) => row({ fqdn: 'sub.example.com', type: 'NS', value: `ns${n}.sub.example.com` })),
  row({ fqdn: 'ns7.sub.example.com', type: 'A', value: '192.0.2.7' }),
  row({ fqdn: 'to-sub.example.com', type: 'CNAME', value: 'x.sub.example.com' }),
])

function parsed(name: string, type: string): { packet: Buffer; question: Question } {
  const packet = query(name, type)
  const question = readQuestion(packet)
  if (!question) throw new Error('There is no question.')
  return { packet, question }
}

const replyTo = ({ key, type }: Question) => answer(family, nameOf(key), type)

describe('names with the same content', () => {
  it.each([
    ['addresses', 'A', ['a.wild', 'b.wild', `${'long'.repeat(15)}.b.wild`, 'MIXED.wild']],
    ['texts', 'TXT', ['a.wild', 'bcd.wild']],
    ['names of other servers, with addresses', 'MX', ['a.wild', 'm1.mail.wild', 'x.y.z.wild']],
    ['an alias of a long one', 'MX', ['a.alias', 'mx.alias', 'm.n.alias']],
    ['a delegation', 'A', ['a.sub', 'ns7.sub', 'x.y.sub']],
  ])('%s: one response is written, and is what each would get by itself', (_what, type, names) => {
    const written = createResponseCache()
    // Each first once, so that the others get what it wrote.
    for (const first of names) {
      const memory = createResponseCache()
      for (const name of [first, ...names]) {
        const { packet, question } = parsed(`${name}.example.com`, type)
        const reply = replyTo(question)
        expect(reply.isOfName).toBe(false)
        const shared = memory.write(reply, question, family.validity)
        const answered = answerWith(packet, question, shared, maxMessageBytes)
        const alone = answerWith(packet, question, encode(question.key, reply), maxMessageBytes)
        expect(decode(answered)).toEqual(decode(alone))
        expect(decode(answered).flag_tc).toBe(false)
        expect(decode(answered).questions).toMatchObject([{ name: `${name}.example.com`, type }])
      }
    }
    const all = names.map((name) => {
      const { question } = parsed(`${name}.example.com`, type)
      return written.write(replyTo(question), question, family.validity)
    })
    expect(new Set(all).size).toBe(1)
  })

  it('is written again when the zone may have changed, and separately for other types', () => {
    const written = createResponseCache()
    const { question } = parsed('a.wild.example.com', 'A')
    const other = parsed('a.wild.example.com', 'MX').question
    const first = written.write(replyTo(question), question, { isCurrent: true })
    expect(written.write(replyTo(question), question, { isCurrent: true })).not.toBe(first)
    expect(written.write(replyTo(other), other, family.validity)).not.toBe(first)
  })
})

describe('a response that does not fit', () => {
  const names = ['a.wild', 'mx', '1', 'x.sub', 'to-sub', 'a.alias', 'nothing', '@.wild']
  const types = ['A', 'AAAA', 'MX', 'TXT', 'NS', 'SOA']
  const questions = names.flatMap((name) =>
    types.map((type): [string, string] => [`${name}.example.com`, type]),
  )

  it.each(questions)(
    'is detected without writing it, and is not confused with another one: %s %s',
    (name, type) => {
      const { packet, question } = parsed(name, type)
      const reply = replyTo(question)
      const encoded = encode(question.key, reply)
      const records = [...reply.answer, ...reply.authority].flatMap(({ set }) => set.values)
      expect(isTooLong(reply, question, 1_232)).toBe(records.length >= 300)
      for (const bytes of [udpLimit(question), 1_232, 4_096, maxMessageBytes]) {
        const isCut = decode(answerWith(packet, question, encoded, bytes)).flag_tc
        if (isTooLong(reply, question, bytes)) expect(isCut).toBe(true)
        // Compression makes the difference between the minimum and what is written.
        else if (isCut) expect(encoded?.needed ?? 0).toBeLessThan(6 * bytes)
      }
    },
  )
})
