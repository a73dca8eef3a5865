import { describe, expect, it } from 'vitest'
import { verifyBytes } from '../../../src/stores/blobs/verify-bytes.ts'
import { chunks, identityOf } from './conformance.ts'

async function passed(announced: string, ...parts: string[]): Promise<string> {
  let text = ''
  for await (const chunk of verifyBytes(identityOf(announced), chunks(...parts)))
    text += Buffer.from(chunk).toString()
  return text
}

describe('bytes with an announced digest and size', () => {
  it.each([
    ['in one piece', 'hello', ['hello']],
    ['in pieces', 'hello', ['h', 'el', '', 'lo']],
    ['none at all', '', []],
  ])('pass: %s', async (_, announced, parts) => {
    expect(await passed(announced, ...parts)).toBe(announced)
  })

  it.each([
    ['a byte differs', ['hellO'], 'digest_mismatch', /SHA-256/],
    ['a byte is missing', ['hell'], 'size_mismatch', /4 bytes, but 5/],
    ['there is an extra byte', ['hello', '!'], 'body_too_large', /5 bytes/],
  ])('are refused when %s', async (_, parts, reason, message) => {
    const refused = passed('hello', ...parts)
    await expect(refused).rejects.toMatchObject({ reason })
    await expect(refused).rejects.toThrow(message)
  })

  it('are refused before the extra byte is passed on', async () => {
    const seen: string[] = []
    const reading = (async () => {
      for await (const chunk of verifyBytes(identityOf('hello'), chunks('hel', 'lo!')))
        seen.push(String(chunk))
    })()
    await expect(reading).rejects.toMatchObject({ reason: 'body_too_large' })
    expect(seen).toEqual(['hel'])
  })
})
