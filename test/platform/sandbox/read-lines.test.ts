import { describe, expect, it } from 'vitest'
import { createLineReader, maxLineLength } from '../../../src/platform/sandbox/read-lines.ts'
import { redactorOf } from '../builds/build.ts'

async function read(chunks: (string | Buffer)[], secrets: string[] = []): Promise<string[]> {
  const lines: string[] = []
  const reader = createLineReader(await redactorOf(secrets), (line) => lines.push(line))
  for (const chunk of chunks) reader.write(Buffer.from(chunk))
  reader.end()
  return lines
}

/** Each byte as a chunk of its own. */
const bytes = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]))

describe('lines', () => {
  it.each([
    ['a\nb\n', ['a', 'b']],
    ['a\nb', ['a', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\n\nb\n', ['a', '', 'b']],
    ['1%\r2%\rdone\n', ['done']],
    ['', []],
    ['grüße 🚀\n', ['grüße 🚀']],
    ['\u001b[31mred\u001b[0m\n', ['red']],
  ])('of %j are the same in one chunk and byte by byte', async (text, expected) => {
    expect(await read([text])).toEqual(expected)
    expect(await read(bytes(text))).toEqual(expected)
  })

  it('show invalid UTF-8 as such', async () => {
    expect(await read([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xf0, 0x9f])])).toEqual(['a\ufffdb', '\ufffd'])
  })
})

describe('a long line', () => {
  it('is split without losing anything', async () => {
    const text = Array.from({ length: 5_000 }, (_, i) => `${i}`).join(' ')
    for (const chunks of [[text], bytes(text)]) {
      const lines = await read(chunks)
      expect(lines.join('')).toBe(text)
      expect(Math.max(...lines.map(({ length }) => length))).toBe(maxLineLength)
    }
  })

  it('is never split within a character', async () => {
    const lines = await read([`x${'🚀'.repeat(10_000)}`])
    expect(lines.every((line) => line.isWellFormed())).toBe(true)
  })

  it('of endless progress output keeps its end', async () => {
    const lines = await read(Array.from({ length: 10_000 }, (_, i) => `progress ${i}\r`))
    expect(lines).toEqual(['progress 9999'])
  })
})

describe('a secret', () => {
  const secret = 'correct-horse-battery-staple'

  it('is found across chunks', async () => {
    expect(await read(bytes(`a ${secret} b\n`), [secret])).toEqual(['a [redacted] b'])
    expect(await read([`a ${secret.slice(0, 9)}`, `${secret.slice(9)} b`], [secret])).toEqual([
      'a [redacted] b',
    ])
  })

  it('is found wherever a long line is split', async () => {
    for (let before = maxLineLength - 40; before < maxLineLength + 5; before++) {
      for (const size of [1_000_000, 1_000, 7]) {
        const text = `${'x'.repeat(before)}${secret}${'y'.repeat(maxLineLength)}`
        const chunks = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
        const printed = (await read(chunks, [secret])).join('')
        expect(printed).toBe(`${'x'.repeat(before)}[redacted]${'y'.repeat(maxLineLength)}`)
      }
    }
  })

  it('is found if only its first part had arrived when the start of its line was passed on', async () => {
    for (let prefixLength = 1; prefixLength < secret.length; prefixLength++) {
      const before = 'x'.repeat(3 * maxLineLength + 2 - prefixLength)
      const printed = await read(
        [before + secret.slice(0, prefixLength), secret.slice(prefixLength)],
        [secret],
      )
      expect(printed.join('')).toBe(`${before}[redacted]`)
    }
  })

  it('is found despite colours within it', async () => {
    expect(await read(['correct-\u001b[1mhorse\u001b[0m-battery-staple'], [secret])).toEqual(['[redacted]'])
  })
})

it('what is cut off is forgotten, and nothing of it joins the next line', async () => {
  const lines: string[] = []
  const reader = createLineReader(await redactorOf(['hunter2']), (line) => lines.push(line))
  for (const chunk of [Buffer.from('first\nhunt'), Buffer.from([0xf0, 0x9f])]) reader.write(chunk)
  reader.cutOff()
  reader.write(Buffer.from('er2\n'))
  expect(lines).toEqual(['first', 'er2'])
})
