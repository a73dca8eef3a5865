/**
 * A backup is whole although deployments are made, deleted and collected while it is taken.
 * @module-tag long
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { sweepStray } from '../../../src/platform/deployments/garbage/stray-objects.ts'
import { collectBlobs, collectManifests } from '../../../src/platform/deployments/garbage/unreferenced.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { newHome } from '../../cli/svc.ts'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { newSurroundings, type Surroundings, startOn } from './places.ts'

let source: Surroundings
let into: Surroundings
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  source = await newSurroundings()
  into = await newSurroundings()
  node = await startOn(source)
  team = await newTeam(node)
})

afterAll(async () => {
  await node.stop()
  await Promise.all([source.drop(), into.drop()])
})

/** The files of each deployment that was ever made. */
const contents = new Map<string, string[]>()

/** Deploys and deletes until it is over; a few deployments are there at any time. */
async function comeAndGo(isOver: () => boolean): Promise<void> {
  const there: string[] = []
  while (!isOver()) {
    const files = Array.from({ length: 4 }, () => randomBytes(500).toString('hex'))
    const { id } = await deploy(team, {
      project: 'busy',
      files: files.map((content, index) => ({ path: `${index}.txt`, content })),
    })
    contents.set(id, files)
    there.push(id)
    if (there.length > 3) await team.owner('DELETE', `/v1/deployments/${there.shift()}`)
  }
}

/** What a worker does each minute, as often as the others get a turn; the trash keeps nothing. */
async function collect(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const deps = { db: node.installation.store.db, blobs: node.installation.blobs, nowMs: Date.now() + 1 }
    await collectManifests(deps)
    await collectBlobs({ ...deps, nowMs: deps.nowMs + 1 })
    await sweepStray(deps, { days: 0, maxBytes: 0 })
    await setTimeout(10)
  }
}

it('each restored deployment has each of its files', async () => {
  const { svc } = await newHome()
  const place = await mkdtemp(join(inject('directory'), 'busy-'))
  let isDone = false
  const isOver = () => isDone
  const busy = Promise.all([comeAndGo(isOver), collect(isOver)])
  await expect.poll(() => contents.size, { timeout: 20_000 }).toBeGreaterThan(6)
  const taken = await svc(['admin', 'backup', place, '--with-key'], { env: source.env })
  isDone = true
  await busy
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('is complete') })

  expect(await svc(['admin', 'restore', place], { env: into.env })).toMatchObject({ code: 0 })
  const restored = await startOn(into)
  try {
    const { db } = restored.installation.store
    const ready = await db.select().from(deployments).where(eq(deployments.state, 'ready'))
    expect(ready.length).toBeGreaterThan(2)
    for (const { id, host } of ready)
      for (const [index, body] of (contents.get(id) ?? []).entries())
        expect(await visit(restored.sitesUrl.replace('//', `//${host}.`), `/${index}.txt`)).toEqual({
          status: 200,
          body,
        })
    const check = await svc(['admin', 'check', '--deep'], { env: into.env })
    expect(check).toMatchObject({ code: 0, stdout: 'Nothing is wrong.\n' })
  } finally {
    await restored.stop()
  }
})
