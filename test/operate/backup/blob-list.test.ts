import { expect, it } from 'vitest'
import { decodeList, encodeList, type ListedBlob } from '../../../src/operate/backup/blob-list.ts'

const team = `team_${'0'.repeat(32)}`
const blobs: ListedBlob[] = Array.from({ length: 1_200 }, (_, size) => ({
  object: `${team}/${String(size).padStart(64, '0')}-${'a'.repeat(16)}`,
  size,
}))

async function* inBatches(): AsyncGenerator<ListedBlob[]> {
  yield blobs.slice(0, 500)
  yield blobs.slice(500)
}

/** The list's bytes in pieces of this many. */
async function* pieces(bytes: number): AsyncGenerator<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of encodeList(inBatches(), () => {})) all.push(chunk)
  const whole = Buffer.concat(all)
  for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes)
}

async function gather(bytes: AsyncIterable<Buffer>): Promise<ListedBlob[][]> {
  const batches: ListedBlob[][] = []
  for await (const batch of decodeList(bytes)) batches.push(batch)
  return batches
}

it.each([1, 133, 1_000_000])('is read as it was written, in pieces of %i bytes', async (bytes) => {
  const batches = await gather(pieces(bytes))
  expect(batches.flat()).toEqual(blobs)
  expect(Math.max(...batches.map((batch) => batch.length))).toBe(500)
})

it.each([`${team}/x 1\n`, `${blobs[0]?.object} 1`, `${blobs[0]?.object} -1\n`, '\n', `../../etc/passwd 1\n`])(
  'refuses what is no list: %j',
  async (content) => {
    await expect(
      gather(
        (async function* () {
          yield Buffer.from(content)
        })(),
      ),
    ).rejects.toThrow('list of files')
  },
)
