/** A push that is cut off leaves nothing on the disk. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { killGitIn } from '../../../support/git-processes.ts'
import { startTestNode, type TestNode } from '../../../support/node.ts'
import { beginPush, pushBodyOf } from '../../../support/raw-push.ts'
import { newTeam } from '../../../support/team.ts'
import { newWorkTree } from '../../../support/work-tree.ts'

vi.setConfig({ testTimeout: 60_000 })

let node: TestNode

beforeAll(async () => {
  node = await startTestNode()
})

afterAll(() => node?.stop())

/** All that is below the repositories of the node. */
const namesIn = async (): Promise<string[]> =>
  (await readdir(join(node.settings.SVC_DATA_DIR, 'git'), { recursive: true }).catch(() => [])).sort()

const halves = async () => (await namesIn()).filter((name) => name.includes('tmp_pack_'))

const goneMs = 20_000

/** A project with a deployed commit, and a push of another one that is large. */
async function newPush() {
  const { slug, ownerKey } = await newTeam(node)
  const [remote, tree] = [`${node.apiUrl}/git/${slug}/web.git`, await newWorkTree()]
  const push = () => tree.git('push', remote.replace('//', `//x:${ownerKey}@`), 'main')
  const first = await tree.commit({ 'index.html': 'page' })
  expect((await push()).said).toContain('remote: Live: ')
  await tree.commit({ 'large.bin': randomBytes(1024 * 1024) })
  const body = await pushBodyOf(tree, first)
  // Its end is known a little earlier.
  const isHeld = async () => (await namesIn()).some((name) => name.includes('svc-'))
  await expect.poll(isHeld, { timeout: goneMs }).toBe(false)
  return {
    push,
    /** Sends the first half, and resolves once git has got some of it. */
    async begin(to = remote) {
      const before = (await halves()).length
      const sent = beginPush(to, ownerKey)
      sent.write(body.subarray(0, body.length / 2))
      await expect.poll(async () => (await halves()).length, { timeout: 20_000 }).toBe(before + 1)
      return { sent, end: () => sent.end(body.subarray(body.length / 2)) }
    },
    unknown: `${node.apiUrl}/git/${slug}/unknown.git`,
  }
}

it('to a project that is there, or to a new one', async () => {
  const { begin, push, unknown } = await newPush()
  const before = await namesIn()
  for (const remote of [undefined, unknown]) {
    const { sent } = await begin(remote)
    sent.destroy()
    await expect.poll(namesIn, { timeout: goneMs }).toEqual(before)
  }
  expect((await push()).said).toContain('remote: Live: ')
})

it('nor does one whose program of git is killed', async () => {
  const { begin, push } = await newPush()
  const before = await namesIn()
  const { sent } = await begin()
  const answered = new Promise((resolve) => sent.once('response', resolve))
  await killGitIn(node.settings.SVC_DATA_DIR)
  sent.end()
  await answered
  await expect.poll(namesIn, { timeout: goneMs }).toEqual(before)
  expect((await push()).said).toContain('remote: Live: ')
})

it('and takes nothing from another push to the same project', async () => {
  const { begin } = await newPush()
  const before = await namesIn()
  const [one, other] = [await begin(), await begin()]
  one.sent.destroy()
  await expect.poll(async () => (await halves()).length, { timeout: goneMs }).toBe(1)
  const answer = new Promise<string>((resolve) =>
    other.sent.once('response', async (response) => {
      let text = ''
      for await (const part of response) text += part
      resolve(text)
    }),
  )
  other.end()
  expect(await answer).toContain('ok refs/heads/main')
  await expect.poll(halves, { timeout: goneMs }).toEqual([])
  const left = (await namesIn()).filter((name) => !before.includes(name))
  expect(left.map((name) => name.replace(/.*\/pack-\w+/, 'pack')).sort()).toEqual(['pack.idx', 'pack.pack'])
})
