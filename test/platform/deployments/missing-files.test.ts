/** How what came along with a request is read to be stored. */
import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { ensureBlobs } from '../../../src/platform/deployments/missing-files.ts'
import { createKnownBlobs } from '../../../src/stores/blobs/known-blobs.ts'
import { sharedNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

it('files beyond the size that is read along with others are read alone', async () => {
  const node = await sharedNode()
  const team = await newTeam(node)
  const { store, blobs } = node.installation
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
  const deps = {
    store,
    blobs,
    knownBlobs: createKnownBlobs(),
    storage: { free: 0, pro: 0, enterprise: 0 },
    apiUrl: node.apiUrl,
    uploadKey: Buffer.alloc(32),
    nowMs: Date.now,
  }
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
