/** Packs arrive in places, which those who are slow, or wait for something else, keep from nobody. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { ClientRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { defaultTimeouts } from '../../../../src/api/server/http/timeouts.ts'
import { startTestNode, type TestNode } from '../../../support/node.ts'
import { beginPush, pushBodyOf } from '../../../support/raw-push.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkTree, type WorkTree } from '../../../support/work-tree.ts'

vi.setConfig({ testTimeout: 60_000 })

let node: TestNode
let tree: WorkTree
let body: Buffer

beforeAll(async () => {
  node = await startTestNode({}, { timeouts: { ...defaultTimeouts, packWindowMs: 1_500 } })
  tree = await newWorkTree()
  await tree.commit({ 'index.html': 'page', 'large.bin': randomBytes(1024 * 1024) })
  body = await pushBodyOf(tree)
})

afterAll(() => node?.stop())

const remoteOf = ({ slug, ownerKey }: TestTeam, project: string) =>
  node.apiUrl.replace('//', `//x:${ownerKey}@`).concat(`/git/${slug}/${project}.git`)

/** Begins a push with so many bytes, and goes on with a thousand a second. */
function pushSlowly({ slug, ownerKey }: TestTeam, project: string, bytes: number): ClientRequest {
  const sent = beginPush(`${node.apiUrl}/git/${slug}/${project}.git`, ownerKey)
  sent.write(body.subarray(0, bytes))
  let at = bytes
  const timer = setInterval(() => {
    sent.write(body.subarray(at, at + 100))
    at += 100
  }, 100)
  onTestFinished(() => clearInterval(timer))
  return sent
}

/** How many repositories are there of packs that arrive for new projects. */
async function arriving(): Promise<number> {
  const names = await readdir(join(node.settings.SVC_DATA_DIR, 'git')).catch(() => [])
  return names.filter((name) => name.startsWith('incoming-')).length
}

const teams = (count: number) => Promise.all(Array.from({ length: count }, () => newTeam(node)))

it('32 pushes of eight teams that come at a thousand bytes a second hold up no other one', async () => {
  const [ninth, ...others] = await teams(9)
  if (!ninth) throw new Error('There is no team.')
  for (const team of others) for (let at = 0; at < 4; at += 1) pushSlowly(team, `slow-${at}`, 1_000)
  const begun = performance.now()
  expect((await tree.git('push', remoteOf(ninth, 'web'), 'main')).said).toContain('remote: Live: ')
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(await arriving()).toBe(0)
})

it('32 pushes of eight teams that come slowly only in their places leave one to a ninth', async () => {
  const [ninth, ...others] = await teams(9)
  if (!ninth) throw new Error('There is no team.')
  const slow = others.flatMap((team) => [0, 1, 2, 3].map((at) => pushSlowly(team, `slow-${at}`, 100_000)))
  expect(slow).toHaveLength(32)
  await expect.poll(arriving, { timeout: 20_000 }).toBe(16)
  const begun = performance.now()
  expect((await tree.git('push', remoteOf(ninth, 'web'), 'main')).said).toContain('remote: Live: ')
  expect(performance.now() - begun).toBeLessThan(10_000)
})

it('packs that came to a place and are slow there give it to one that waits, and to no more', async () => {
  const [fifth, ...others] = await teams(5)
  if (!fifth) throw new Error('There is no team.')
  const slow = others.flatMap((team) => [0, 1, 2, 3].map((at) => pushSlowly(team, `slow-${at}`, 100_000)))
  const refused: { status: number | undefined; retry: string | undefined }[] = []
  for (const sent of slow)
    sent.once('response', ({ statusCode, headers }) =>
      refused.push({ status: statusCode, retry: headers['retry-after'] }),
    )
  await expect.poll(arriving, { timeout: 20_000 }).toBe(16)
  expect((await tree.git('push', remoteOf(fifth, 'web'), 'main')).said).toContain('remote: Live: ')
  await expect.poll(() => refused, { timeout: 20_000 }).toEqual([{ status: 429, retry: '30' }])
  // What had arrived of it is removed after its answer.
  await expect.poll(arriving, { timeout: 20_000 }).toBe(15)
})

it('a place whose pusher is gone is another one’s at once', async () => {
  const [team] = await teams(1)
  if (!team) throw new Error('There is no team.')
  const slow = [0, 1, 2, 3].map((at) => pushSlowly(team, `slow-${at}`, 100_000))
  await expect.poll(arriving, { timeout: 20_000 }).toBe(4)
  for (const sent of slow) sent.destroy()
  await expect.poll(arriving, { timeout: 20_000 }).toBe(0)
  expect((await tree.git('push', remoteOf(team, 'web'), 'main')).said).toContain('remote: Live: ')
})
