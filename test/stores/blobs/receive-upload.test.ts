import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { createReceiveUpload } from '../../../src/stores/blobs/receive-upload.ts'
import { unreferencedGraceMs } from '../../../src/stores/blobs/rows.ts'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { sha256 } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const minuteMs = 60_000

async function* bytesOf(content: string) {
  yield Buffer.from(content)
}

it('keeps a blob that is sent again for another hour, and stores it once', async () => {
  const { store, blobs: objects } = node.installation
  const { id: teamId } = await newTeam(node)
  const content = unique('upload')
  const blob = { teamId, sha256: sha256(content), size: content.length }
  // Far ahead, so that no worker considers it old.
  let nowMs = Date.now() + 1_000 * unreferencedGraceMs
  const receive = createReceiveUpload({ store, blobs: objects, nowMs: () => nowMs })
  const rows = () => store.db.select().from(blobs).where(eq(blobs.teamId, teamId))

  await receive(blob, bytesOf(content))
  const [first] = await rows()
  nowMs += 40 * minuteMs
  await receive(blob, bytesOf(content))

  expect(await rows()).toEqual([{ ...first, collectAfterMs: nowMs + unreferencedGraceMs }])
  const stored: string[] = []
  for await (const batch of objects.listOlderThan(Number.MAX_SAFE_INTEGER)) stored.push(...batch)
  expect(stored.filter((object) => object.startsWith(teamId))).toEqual([first?.object])
})
