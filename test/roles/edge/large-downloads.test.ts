/** Many large files at the same time, whose bytes pass through the same memory. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Edge, newSite, startEdge } from './edge.ts'

const mebibyte = 1024 * 1024

let edge: Edge
let host: string
const files = Object.fromEntries(
  Array.from({ length: 6 }, (_, index) => [`${index}.bin`, randomBytes(5 * mebibyte + index)]),
)

beforeAll(async () => {
  edge = await startEdge()
  host = (await (await newSite(edge)).deploy(files)).host
})

afterAll(() => edge.close())

/** Downloads a file with a pause before every piece; disconnects after `most` bytes. */
async function download(path: string, pauseMs: number, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const sent = request({
    port: edge.port,
    host: '127.0.0.1',
    path: `/${path}`,
    agent: false,
    headers: { host },
  })
  sent.end()
  const [reply] = await once(sent, 'response')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of reply) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= most) break
    if (pauseMs > 0 && chunks.length % 8 === 0) await wait(pauseMs)
  }
  sent.destroy()
  return Buffer.concat(chunks)
}

it('each client gets its own bytes, whether others are slow or disconnect', async () => {
  const downloads = Object.entries(files).flatMap(([path, bytes], index) =>
    [0, 1, 2].map(async (nth) => {
      const leaves = (index + nth) % 3 === 0
      const received = await download(path, nth * 2, leaves ? mebibyte : undefined)
      expect(received.equals(bytes.subarray(0, received.length))).toBe(true)
      if (!leaves) expect(received.length).toBe(bytes.length)
    }),
  )
  await Promise.all(downloads)
})
