/** Packets and the beginning of a push. */
import { describe, expect, it } from 'vitest'
import { bands, flush, onBand, packet, readPackets } from '../../../src/platform/git/pkt-line.ts'
import { readPush } from '../../../src/platform/git/push-request.ts'

/** The bytes in pieces of this size. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('packets', () => {
  it.each([1, 3, 7, 1_000])('are read from pieces of %i bytes, and the rest after them', async (size) => {
    const bytes = Buffer.concat([packet('one'), flush, packet(''), packet('two\n'), Buffer.from('rest')])
    const packets = readPackets(inPieces(bytes, size))
    const read = [await packets.next(), await packets.next(), await packets.next(), await packets.next()]
    expect(read.map(String)).toEqual(['one', 'flush', '', 'two\n'])
    const rest: Buffer[] = []
    for await (const part of packets.rest()) rest.push(part)
    expect(Buffer.concat(rest).toString()).toBe('rest')
  })

  it.each([
    ['a length that is no number', 'zzzzabc'],
    ['a length below that of the length', '0003'],
    ['a length above that of any packet', 'ffff'],
    ['an end within the length', '00'],
    ['an end within the packet', '0009abc'],
  ])('%s is refused', async (_what, text) => {
    await expect(readPackets(inPieces(Buffer.from(text), 2)).next()).rejects.toThrow('packet')
  })

  it('of a side band have at most 65,520 bytes', async () => {
    const bytes = onBand(bands.progress, Buffer.alloc(150_000, 'x'))
    const packets = readPackets(inPieces(bytes, 10_000))
    const lengths: number[] = []
    for (let next = await packets.next(); Buffer.isBuffer(next); next = await packets.next()) {
      expect(next[0]).toBe(bands.progress)
      lengths.push(next.length - 1)
    }
    expect(lengths).toEqual([65_515, 65_515, 18_970])
  })
})

describe('the beginning of a push', () => {
  const zeros = '0'.repeat(40)
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)]
  const read = (...packets: Buffer[]) => readPush(inPieces(Buffer.concat(packets), 50))

  it('has refs, capabilities and options, and is passed on whole', async () => {
    const sent = Buffer.concat([
      packet(`shallow ${two}`),
      packet(`${zeros} ${one} refs/heads/main\0 report-status push-options agent=git/2.39`),
      packet(`${one} ${two} refs/heads/a/b\n`),
      packet(`${one} ${zeros} refs/heads/gone`),
      flush,
      packet('target=preview'),
      flush,
      Buffer.from('PACK'),
    ])
    const { updates, capabilities, options, body } = await read(sent)
    expect(updates).toEqual([
      { ref: 'refs/heads/main', to: one },
      { ref: 'refs/heads/a/b', to: two },
      { ref: 'refs/heads/gone', to: null },
    ])
    expect([...capabilities]).toEqual(['report-status', 'push-options', 'agent=git/2.39'])
    expect(options).toEqual(['target=preview'])
    const passed: Buffer[] = []
    for await (const part of body) passed.push(part)
    expect(Buffer.concat(passed).equals(sent)).toBe(true)
  })

  it('has no update for a test of credentials', async () => {
    expect((await read(flush)).updates).toEqual([])
  })

  it('is refused beyond a megabyte of commands', async () => {
    const many = Array.from({ length: 12_000 }, (_, at) =>
      packet(`${zeros} ${one} refs/heads/${'b'.repeat(20)}${at}`),
    )
    await expect(read(...many, flush)).rejects.toMatchObject({ reason: 'malformed_request' })
  })

  it.each([
    ['commands', ''],
    ['options', `${zeros} ${one} refs/heads/main\0 push-options`],
  ])('is refused beyond 20,000 packets of %s, however short, and not read further', async (_what, first) => {
    let sent = 0
    async function* long() {
      if (first !== '') yield Buffer.concat([packet(first), flush])
      for (; sent < 200; sent += 1) yield Buffer.from('0004'.repeat(1_000))
    }
    await expect(readPush(long())).rejects.toMatchObject({ message: 'Push fewer branches at once.' })
    expect(sent).toBeLessThan(25)
  })
})
