import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { byDigest, deploy, sha256, upload, visit } from './steps.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

const directoryOf = () => join(node.settings.SVC_DATA_DIR, 'blobs', 'teams', team.id)

/** Removes the stored bytes, and keeps the rows: as a disk does, or a restored backup. */
async function loseFiles(): Promise<void> {
  for (const name of await readdir(directoryOf())) await rm(join(directoryOf(), name))
}

const rows = () => node.installation.store.db.select().from(blobs).where(eq(blobs.teamId, team.id))

/** The stored objects, with their team, once each row's compressed forms are made or not worthwhile. */
async function objects(): Promise<string[]> {
  return (await readdir(directoryOf())).map((name) => `${team.id}/${name}`).toSorted()
}

describe('a site whose bytes are missing', () => {
  it('is complete again once it is redeployed with its content', async () => {
    const files = [
      { path: 'index.html', content: unique('inline') },
      { path: 'copy.html', content: unique('other') },
    ]
    const lost = await deploy(team, { files })
    await loseFiles()
    expect((await visit(lost.url)).status).toBe(500)
    const healed = await deploy(team, { files })
    expect(await visit(healed.url)).toEqual({ status: 200, body: files[0]?.content })
    expect(await visit(healed.url, '/copy.html')).toEqual({ status: 200, body: files[1]?.content })
    expect((await rows()).map(({ object }) => object).toSorted()).toEqual(await objects())
  })

  it('needs only the missing files again when they are named by digest', async () => {
    const [gone, there] = [unique('gone'), unique('there')]
    await deploy(team, { files: [{ path: 'gone', content: gone }] })
    await loseFiles()
    await deploy(team, { files: [{ path: 'there', content: there }] })
    const files = [byDigest('index.html', gone), byDigest('there', there)]
    const again = { project: 'web', files }
    const { status, body } = await team.owner('POST', '/v1/deployments', again)
    expect(status).toBe(400)
    expect(body.missing).toMatchObject([{ sha256: sha256(gone) }])
    // Two at once, one of which is redundant.
    const sent = [1, 2].map(() => upload(body.missing[0].upload_url, gone))
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200])
    const { url } = (await team.owner('POST', '/v1/deployments', again)).body
    expect(await visit(url)).toEqual({ status: 200, body: gone })
    expect(await rows()).toHaveLength(2)
    expect((await rows()).map(({ object }) => object).toSorted()).toEqual(await objects())
  })

  it('gets its compressed forms again', async () => {
    const files = [{ path: 'index.html', content: unique('compressible').repeat(100) }]
    await deploy(team, { files })
    const [row] = await rows()
    await node.installation.store.db
      .update(blobs)
      .set({ encodeAfterMs: null, encodeAttempts: 1, brObject: `${row?.object}-br`, brSize: 10 })
      .where(eq(blobs.teamId, team.id))
    await loseFiles()
    await deploy(team, { files })
    const [healed] = await rows()
    expect(healed?.object).not.toBe(row?.object)
    expect(healed?.brObject).not.toBe(`${row?.object}-br`)
    expect(healed?.encodeAfterMs === null).toBe(healed?.gzipObject !== null)
  })
})
