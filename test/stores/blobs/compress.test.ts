import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compress } from '../../../src/stores/blobs/compress.ts'
import { codings } from '../../../src/stores/blobs/encodings.ts'

const decompress = { br: brotliDecompressSync, gzip: gunzipSync }
const { signal } = new AbortController()

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 100_000) yield bytes.subarray(start, start + 100_000)
}

/** Text that is neither random nor uniform. */
function text(bytes: number): Buffer {
  const words = Array.from({ length: bytes / 4 }, (_, i) => ((i * 7_919) % 4_093).toString(36))
  return Buffer.from(words.join(' ')).subarray(0, bytes)
}

describe.each(codings)('%s', (coding) => {
  it.each([1, 300, 200_000, 1_000_000, 4_000_000])('restores %d bytes', async (size) => {
    const bytes = text(size)
    const encoded = await compress(coding, inPieces(bytes), { size, maxBytes: size + 1_000, signal })
    expect(encoded && decompress[coding](encoded).equals(bytes)).toBe(true)
  })

  it('compresses repetitions well', async () => {
    const size = 20_000_000
    const encoded = await compress(coding, inPieces(Buffer.alloc(size, 'ab')), {
      size,
      maxBytes: size,
      signal,
    })
    expect(encoded?.length).toBeLessThan(50_000)
  })

  it('gives up on incompressible data, long before its end', async () => {
    let read = 0
    const source = async function* () {
      for (let i = 0; i < 1_000; i += 1) {
        read += 1
        yield randomBytes(100_000)
      }
    }
    const limits = { size: 100_000_000, maxBytes: 1_000_000, signal }
    expect(await compress(coding, source(), limits)).toBeUndefined()
    expect(read).toBeLessThan(100)
  })

  it('fails like its source', async () => {
    const failing = async function* () {
      yield Buffer.from('a')
      throw new Error('away')
    }
    await expect(compress(coding, failing(), { size: 2, maxBytes: 10, signal })).rejects.toThrow('away')
  })

  it('ends when it is aborted', async () => {
    const stopping = new AbortController()
    const endless = async function* () {
      for (;;) yield randomBytes(1_000)
    }
    const limits = { size: 1_000, maxBytes: Number.MAX_SAFE_INTEGER, signal: stopping.signal }
    const running = compress(coding, endless(), limits)
    setTimeout(() => stopping.abort(), 50)
    await expect(running).rejects.toThrow('abort')
  })
})
