/** A deep check of many small files in a bucket waits for several responses at once. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCheckHandler } from '../../../src/operate/node/admin.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { settingsOf } from '../../support/s3/settings.ts'
import { newTeam } from '../../support/team.ts'

let s3: S3Server
let node: TestNode

beforeAll(async () => {
  s3 = await startS3()
  node = await startOwnNode(settingsOf(s3, ''))
})

afterAll(async () => {
  await node.stop()
  await s3.close()
})

it('reads 32 of them at once, and no more', async () => {
  const files = Array.from({ length: 40 }, (_, at) => ({ path: `${at}.txt`, content: `${at}` }))
  await deploy(await newTeam(node), { files })
  s3.fail((method, key) => (method === 'GET' && key.startsWith('teams/') ? { delayMs: 1_000 } : undefined))
  const reads = () => s3.requests.filter((request) => request.startsWith('GET teams/')).length
  const before = reads()
  const check = createCheckHandler({ ...node.installation, trash: { days: 7, maxBytes: 1_000_000 } })
  const checked = (async () => {
    const found: string[] = []
    for await (const event of check({ deep: true, mend: false }))
      if (event.type === 'problem') found.push(event.message)
    return found
  })()
  await expect.poll(() => reads() - before, { interval: 10 }).toBe(32)
  expect(await checked).toEqual([])
  expect(reads() - before).toBe(files.length)
})
