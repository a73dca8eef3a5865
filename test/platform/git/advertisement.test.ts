/** What is offered to who pushes: the refs of what is deployed, whatever became of pushes before. */
import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, inject, it } from 'vitest'
import { advertise, advertiseNone } from '../../../src/platform/git/advertisement.ts'
import { adopt, newRepository } from '../../../src/platform/git/repositories.ts'
import { runGit } from '../../../src/platform/git/run-git.ts'
import { newWorkTree } from '../../support/work-tree.ts'

let root: string
let directory: string
let first: string
let second: string

beforeEach(async () => {
  root = await mkdtemp(join(inject('directory'), 'git-'))
  directory = await adopt(root, await newRepository(root), { teamId: 'team_a', projectId: 'prj_1' })
  const tree = await newWorkTree()
  first = await tree.commit({ 'index.html': 'one' })
  second = await tree.commit({ 'index.html': 'two' })
  await tree.git('push', '--quiet', directory, 'main', `${first}:refs/heads/old`, `${first}:refs/tags/v1`)
})

/** The refs of an answer, with their commits. */
const refsIn = (answer: Buffer) =>
  Object.fromEntries(
    [...answer.toString().matchAll(/([0-9a-f]{40}) (refs[\w/]+)/g)].map(([, to, ref]) => [ref, to]),
  )

const offer = async (commits: Record<string, string>) =>
  refsIn(await advertise(directory, new Map(Object.entries(commits))))

const refsOf = async () =>
  (await runGit(directory, ['for-each-ref', '--format=%(refname)'])).toString().trim().split('\n')

it('refs that nothing is deployed of go, and others move to what is', async () => {
  expect(await offer({ main: first })).toEqual({ 'refs/heads/main': first })
  expect(await refsOf()).toEqual(['refs/heads/main'])
  expect(await offer({ main: first, 'feature/a': second })).toEqual({
    'refs/heads/main': first,
    'refs/heads/feature/a': second,
  })
  // The same again, when nothing has to change.
  expect(await offer({ main: first, 'feature/a': second })).toEqual({
    'refs/heads/main': first,
    'refs/heads/feature/a': second,
  })
  expect(await offer({})).toEqual({})
})

it('clients at once, while a refused push is tidied up, see none of its refs', async () => {
  for (const commits of [{ main: first }, { main: second }, { main: first, old: second }]) {
    const asking = Array.from({ length: 8 }, async (_, place) => {
      await sleep(5 * place)
      return offer(commits)
    })
    const expected = Object.entries(commits).map(([branch, commit]) => [`refs/heads/${branch}`, commit])
    for (const offered of await Promise.all(asking)) expect(offered).toEqual(Object.fromEntries(expected))
  }
})

it('a commit that another node has is not offered', async () => {
  expect(await offer({ main: second, other: 'f'.repeat(40) })).toEqual({ 'refs/heads/main': second })
})

it('where there is no repository, it is that of an empty one, and leaves none', async () => {
  const empty = await adopt(root, await newRepository(root), { teamId: 'team_a', projectId: 'prj_2' })
  expect((await advertiseNone(root)).equals(await advertise(empty, new Map()))).toBe(true)
  expect((await advertiseNone(root)).toString()).toContain(`${'0'.repeat(40)} capabilities^{}`)
  expect(await readdir(root)).toEqual(['team_a'])
})
