/** What pushes leave in the log of their project. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sharedNode, type TestNode, unique } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkTree, type WorkTree } from '../../../support/work-tree.ts'

let node: TestNode
let team: TestTeam
let tree: WorkTree
let project: string
let remote: string

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
})

beforeEach(async () => {
  project = unique('site')
  remote = node.apiUrl.replace('//', `//x:${team.ownerKey}@`).concat(`/git/${team.slug}/${project}.git`)
  tree = await newWorkTree()
  await tree.commit({ 'index.html': 'first' })
})

type Line = { level: string; message: string; deployment: string | null }

async function lines(): Promise<Line[]> {
  const { body } = await team.owner('GET', `/v1/logs?kind=git&project=${project}`)
  return body.data.toReversed()
}

const short = async (name: string) => (await tree.git('rev-parse', name)).output.slice(0, 7)

it('each branch: its commit and its deployment', async () => {
  await tree.git('branch', 'topic')
  await tree.git('push', remote, 'main', 'topic')
  const { body } = await team.owner('GET', `/v1/deployments?project=${project}`)
  const ids: string[] = body.data.map(({ id }: { id: string }) => id)
  const commit = await short('main')
  expect((await lines()).map(({ message }) => message).toSorted()).toEqual(
    body.data
      .map(
        ({ id, meta }: { id: string; meta: { branch: string } }) =>
          `push, branch ${meta.branch}, commit ${commit}: Deployed. It is ${id}.`,
      )
      .toSorted(),
  )
  expect((await lines()).map(({ deployment }) => deployment).toSorted()).toEqual(ids.toSorted())
})

it('what is refused: why', async () => {
  await tree.git('push', remote, 'main')
  await tree.commit({ _redirects: '/a' })
  await tree.git('push', remote, 'main')
  await tree.git('push', '-o', 'prod', remote, 'main')
  await tree.git('push', remote, ...Array.from({ length: 21 }, (_, at) => `main:refs/heads/b${at}`))
  const [, ...refused] = await lines()
  expect(refused).toMatchObject([
    {
      level: 'error',
      deployment: null,
      message: expect.stringMatching(
        new RegExp(`^push, branch main, commit ${await short('main')}: .*_redirects`),
      ),
    },
    { level: 'warn', message: expect.stringMatching(/^push: Refused\. Unknown push option prod: /) },
    {
      level: 'warn',
      message: expect.stringMatching(/^push: Refused\. Push at most 20 branches at once, not 21\. /),
    },
  ])
})

it('branches that are deleted, and refs that are no branches', async () => {
  for (const name of ['a', 'b', 'c']) await tree.git('branch', name)
  await tree.git('push', remote, 'main', 'a', 'b', 'c')
  const before = (await lines()).length
  for (const name of ['v1', 'v2']) await tree.git('tag', name)
  await tree.git('push', remote, 'v1', 'v2')
  await tree.git('push', remote, ':a')
  await tree.git('push', remote, ':b', ':c')
  expect((await lines()).slice(before).map(({ message }) => message)).toEqual([
    'push: 2 refs that are no branches are not deployed.',
    'push, branch a: The branch was deleted, and its address with it.',
    'push: 2 branches were deleted, with their addresses.',
  ])
})
