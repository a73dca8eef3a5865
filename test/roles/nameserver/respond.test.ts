/** Whatever bytes arrive, the response is valid, or there is none. */
import { setImmediate as turn } from 'node:timers/promises'
import { decode, encode } from 'dns-packet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createResponder, type Responder } from '../../../src/roles/nameserver/respond.ts'
import { udpLimit } from '../../../src/roles/nameserver/wire/encode-response.ts'
import { readQuestion } from '../../../src/roles/nameserver/wire/question.ts'
import { claim } from '../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { isShort } from '../../support/short.ts'
import { newTeam } from '../../support/team.ts'
import { query, rcodeOf } from './client.ts'
import { badPacket, numbers } from './fuzz.ts'
import { addRecords } from './records.ts'

let node: TestNode
let responder: Responder
let top: string

beforeAll(async () => {
  node = await sharedNode()
  top = `${unique('fuzzed')}.com`
  const id = await claim(node, await newTeam(node), top, { proven: true })
  await addRecords(node, id, [
    { fqdn: top, type: 'A', value: '192.0.2.1' },
    { fqdn: top, type: 'MX', value: `mail.${top}`, priority: 1 },
    { fqdn: `*.wild.${top}`, type: 'TXT', value: 'x'.repeat(2_000) },
    { fqdn: `loop.${top}`, type: 'CNAME', value: `loop.${top}` },
    { fqdn: `sub.${top}`, type: 'NS', value: `ns.sub.${top}` },
  ])
  responder = createResponder({
    store: node.installation.store,
    nameservers: ['ns1.svc.test'],
    resolvers: undefined,
    log: { warn: () => {} },
  })
})

afterAll(() => responder.stop())

function answerTo(packet: Buffer): Buffer | Promise<Buffer> | undefined {
  const question = readQuestion(packet)
  return question && responder.respond(packet, question, udpLimit(question))
}

const opt = (udpPayloadSize: number) => ({
  type: 'OPT' as const,
  name: '.',
  udpPayloadSize,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
})

/** Of a thousand packets each; the store, of which most tests are run on two, has no part in them. */
const rounds = isShort ? 50 : process.env.TEST_ON ? 100 : 1_000

describe('packets that no client would send', () => {
  it('get a DNS response or none, in bounded memory', { timeout: 300_000 }, async () => {
    const good = [
      ...['A', 'MX', 'ANY', 'SOA', 'AXFR'].map((type) => query(top, type)),
      query(`a.wild.${top}`, 'TXT', { additionals: [opt(4_096)] }),
      query(`loop.${top}`, 'A', { additionals: [opt(0)] }),
      query(`x.sub.${top}`, 'A'),
      encode({
        type: 'query',
        questions: [{ name: top, type: 'A' }],
        authorities: [{ name: top, type: 'A', data: '1.2.3.4' }],
      }),
    ]
    const below = numbers(1)
    const before = process.memoryUsage().rss
    const answered = { answers: 0, silences: 0, later: 0 }
    for (let round = 0; round < rounds; round += 1) {
      for (let index = 0; index < 1_000; index += 1) {
        const packet = badPacket(good, below)
        const answer = answerTo(packet)
        if (answer === undefined) answered.silences += 1
        else if (Buffer.isBuffer(answer)) {
          answered.answers += 1
          if (index % 50 === 0) check(packet, answer)
          else if (answer.length > 1_232) expect.fail('An answer is too long.')
        } else {
          answered.later += 1
          answer.then((late) => check(packet, late))
        }
      }
      await turn()
    }
    expect(answered.answers).toBeGreaterThan(500 * rounds)
    expect(answered.silences).toBeGreaterThan(50 * rounds)
    expect(answered.later).toBeGreaterThan(rounds)
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(400)
    const [fine] = decode((await answerTo(query(top, 'A'))) ?? Buffer.alloc(0)).answers ?? []
    expect(fine).toMatchObject({ data: '192.0.2.1' })
  })

  function check(packet: Buffer, answer: Buffer): void {
    expect(answer.subarray(0, 2)).toEqual(packet.subarray(0, 2))
    expect(answer.length).toBeLessThanOrEqual(1_232)
    expect(decode(answer).type).toBe('response')
  }
})

describe('queries for unknown names', () => {
  it('do not evict known names from memory, and are all answered', async () => {
    await answerTo(query(top, 'A'))
    const answers: (Buffer | Promise<Buffer> | undefined)[] = []
    for (let index = 0; index < 20_000; index += 1) {
      answers.push(answerTo(query(`www.nobody${index}.com`, 'A')))
      if (index % 100 === 0) await turn()
    }
    const rcodes = new Set((await Promise.all(answers)).map((each) => each && rcodeOf(decode(each))))
    expect([...rcodes].every((each) => each === 'REFUSED' || each === 'SERVFAIL')).toBe(true)
    // From memory: at once.
    expect(answerTo(query(top, 'A'))).toBeInstanceOf(Buffer)
  })
})

it('a name with a zero byte is refused, and costs no other question its answer', async () => {
  const spoiled = query('spoiled.com', 'A')
  spoiled[spoiled.indexOf('spoiled') + 3] = 0
  const answers = await Promise.all([answerTo(spoiled), answerTo(query('nobody-beside.com', 'A'))])
  expect(answers.map((each) => each && rcodeOf(decode(each)))).toEqual(['REFUSED', 'REFUSED'])
})

describe('a response that is too long', () => {
  const responseTo = async (...more: Parameters<typeof query>) =>
    decode((await answerTo(query(...more))) ?? Buffer.alloc(0))

  it('is truncated for clients that accept less, and never longer than every network allows', async () => {
    for (const additionals of [[], [opt(512)], [opt(4_096)]]) {
      const answer = await responseTo(`a.wild.${top}`, 'TXT', { additionals })
      expect(answer).toMatchObject({ flag_tc: true, answers: [] })
      expect(answer.additionals?.length).toBe(additionals.length)
    }
  })
})

describe('malformed', () => {
  it.each([
    ['no question', (packet: Buffer) => packet.fill(0, 4, 6)],
    ['two questions', (packet: Buffer) => packet.fill(2, 5, 6)],
    ['a compressed name', (packet: Buffer) => packet.fill(0xc0, 12, 13)],
    ['an unterminated name', (packet: Buffer) => packet.subarray(0, 20)],
    ['a missing record', (packet: Buffer) => packet.fill(1, 11, 12)],
    ['bytes behind its end', (packet: Buffer) => Buffer.concat([packet, Buffer.alloc(3)])],
  ])('%s: FORMERR', async (_, spoil) => {
    const answer = await answerTo(spoil(query(top, 'A')))
    expect(answer?.readUInt16BE(0)).toBe(0x1234)
    expect((answer?.readUInt8(3) ?? 0) & 15).toBe(1)
  })

  it('two OPT records: FORMERR', async () => {
    const answer = await answerTo(query(top, 'A', { additionals: [opt(1_232), opt(1_232)] }))
    expect((answer?.readUInt8(3) ?? 0) & 15).toBe(1)
  })

  it('names of 255 bytes are valid, longer ones are not', async () => {
    const label = (length: number) => 'x'.repeat(length)
    const longest = [label(63), label(63), label(63), label(57), 'com'].join('.')
    expect(rcodeOf(decode((await answerTo(query(longest, 'A'))) ?? Buffer.alloc(0)))).toBe('REFUSED')
    const tooLong = [label(63), label(63), label(63), label(58), 'com'].join('.')
    expect(rcodeOf(decode((await answerTo(query(tooLong, 'A'))) ?? Buffer.alloc(0)))).toBe('FORMERR')
  })
})
