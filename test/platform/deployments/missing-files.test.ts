/** How what came along with a request is read to be stored. */
import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { ensureBlobs } from '../../../src/platform/deployments/missing-files.ts'
import type { BlobStore } from '../../../src/stores/blobs/blob-store.ts'
import { createKnownBlobs } from '../../../src/stores/blobs/known-blobs.ts'
import { findBlobs } from '../../../src/stores/blobs/rows.ts'
import { sharedNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

/** What storing needs, with the blobs of the node unless others are given. */
async function newDeps(given?: BlobStore) {
  const node = await sharedNode()
  const { store, blobs } = node.installation
  return {
    store,
    blobs: given ?? blobs,
    knownBlobs: createKnownBlobs(),
    storage: { free: 0, pro: 0, enterprise: 0 },
    apiUrl: node.apiUrl,
    uploadKey: Buffer.alloc(32),
    nowMs: Date.now,
  }
}

it('of a request that is broken off, the database knows all that is stored but the last files', async () => {
  const node = await sharedNode()
  const team = await newTeam(node)
  const { store, blobs } = node.installation
  let left = 200
  const breaking: BlobStore = {
    ...blobs,
    put(...stored) {
      left -= 1
      return left < 0 ? Promise.reject(new Error('The disk is gone.')) : blobs.put(...stored)
    },
  }
  const files = Array.from({ length: 300 }, (_, index) => {
    const bytes = Buffer.from(`${team.id} ${index}`)
    return { index, path: `f${index}`, sha256: hash('sha256', bytes), size: bytes.length, bytes }
  })
  await expect(ensureBlobs(await newDeps(breaking), team.id, files)).rejects.toThrow('The disk is gone.')
  const digests = files.map(({ sha256 }) => sha256)
  expect((await findBlobs(store.db, team.id, digests, Date.now())).length).toBeGreaterThanOrEqual(100)
  const known = await ensureBlobs(await newDeps(), team.id, files)
  expect(known.size).toBe(300)
})

it('files beyond the size that is read along with others are read alone', async () => {
  const node = await sharedNode()
  const team = await newTeam(node)
  const most = { small: 0, large: 0 }
  let reading = 0
  const contents = Array.from({ length: 12 }, (_, at) =>
    Buffer.alloc(at % 2 === 0 ? 100 : 20_000, `${team.id}${at}`),
  )
  const sent = contents.map((content) => {
    const kind = content.length > 1_000 ? 'large' : 'small'
    async function* read() {
      reading += 1
      most[kind] = Math.max(most[kind], reading)
      yield content.subarray(0, 50)
      // Whatever else is read at once has begun by then.
      await new Promise(setImmediate)
      yield content.subarray(50)
      reading -= 1
    }
    return { sha256: hash('sha256', content), size: content.length, read }
  })
  const deps = await newDeps()
  const files = sent.map(({ sha256, size }, index) => ({
    index,
    path: `f${index}`,
    sha256,
    size,
    bytes: undefined,
  }))
  const content = new Map(sent.map(({ sha256, read }) => [sha256, read]))
  const known = await ensureBlobs(deps, team.id, files, { zip: { content, leftOut: [], alongBytes: 1_000 } })
  expect(known.size).toBe(12)
  expect(most.large).toBe(1)
  expect(most.small).toBeGreaterThan(1)
})
