/** A node whose disk is nearly full stores no files, says so everywhere, and does all else. */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../support/node.ts'
import { beginPush, pushBodyOf } from '../../support/raw-push.ts'
import { ownReadiness } from '../../support/readiness.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { newWorkTree } from '../../support/work-tree.ts'
import { zipOf } from '../../support/zip.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  // More than any disk has.
  node = await startTestNode({ SVC_DISK_RESERVE: String(1024 ** 5) })
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

afterAll(() => node?.stop())

const full = { status: 503, body: { reason: 'disk_full', message: expect.stringContaining('nearly full') } }

it('503 for inline files, for an upload and for a zip; what needs no file goes on', async () => {
  const inline = { project: 'web', files: [{ path: 'index.html', content: 'page' }] }
  expect(await team.owner('POST', '/v1/deployments', inline)).toMatchObject(full)
  const sha256 = createHash('sha256').update('page').digest('hex')
  const missing = await team.owner('POST', '/v1/deployments', {
    project: 'web',
    files: [{ path: 'index.html', sha256, size: 4 }],
  })
  expect(missing.body).toMatchObject({ reason: 'files_missing' })
  const sent = await fetch(missing.body.missing[0].upload_url, { method: 'PUT', body: 'page' })
  expect({ status: sent.status, body: await sent.json() }).toMatchObject(full)
  const zipped = await fetch(`${node.apiUrl}/v1/deployments?project=web`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.ownerKey}`, 'content-type': 'application/zip' },
    body: zipOf([{ path: 'index.html', content: 'page' }]),
  })
  expect({ status: zipped.status, body: await zipped.json() }).toMatchObject(full)
  expect((await team.owner('PUT', '/v1/projects/other')).status).toBe(200)
  for (const name of ['incoming', 'teams'])
    expect(await readdir(join(node.settings.SVC_DATA_DIR, 'blobs', name))).toEqual([])
  expect(await readdir(join(node.settings.SVC_DATA_DIR, 'zips'))).toEqual([])
})

it('a push is refused before it begins, and one by hand with the reason for each ref', async () => {
  const tree = await newWorkTree()
  await tree.commit({ 'index.html': 'page' })
  const remote = `${node.apiUrl}/git/${team.slug}/web.git`
  const pushed = await tree.git('push', remote.replace('//', `//x:${team.ownerKey}@`), 'main')
  expect(pushed).toMatchObject({ ok: false, said: expect.stringContaining('nearly full') })
  expect(pushed.said).toContain('503')
  const sent = beginPush(remote, team.ownerKey)
  const answer = new Promise<string>((resolve) =>
    sent.once('response', async (response) => {
      let text = ''
      for await (const part of response) text += part
      resolve(text)
    }),
  )
  sent.end(await pushBodyOf(tree))
  expect(await answer).toContain('ng refs/heads/main disk_full')
  expect(await readdir(join(node.settings.SVC_DATA_DIR, 'git')).catch(() => [])).toEqual([])
})

it('/readyz says so with the place and the free bytes, and the node stays in service', async () => {
  const response = await fetch(`${node.apiUrl}/readyz`)
  expect(response.status).toBe(200)
  const { SVC_DATA_DIR: path } = node.settings
  const message = expect.stringContaining(`The disk of ${path} is full: `)
  const alert = {
    name: 'disk_full',
    place: path,
    figure: expect.any(Number),
    unit: 'free_bytes',
    message,
  }
  const answer = await response.json()
  expect(answer).toMatchObject({ disk_space: { path, free_bytes: expect.any(Number) } })
  expect(ownReadiness(answer)).toMatchObject({
    ready: true,
    blobs: true,
    disk: 'disk_full',
    degraded: ['disk'],
    alerts: [alert],
  })
  expect(node.logged.filter((line) => line.includes('"alert":"disk_full"'))).toHaveLength(1)
})
