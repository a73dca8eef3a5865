/** What a client gets that reads the files of deployments, or compares two of them. */
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createClient, type RouterInputs } from '../../../src/api/client/index.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { deploy, insertDeployment, sha256 } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const apiOf = ({ ownerKey }: TestTeam) => createClient({ url: node.apiUrl, token: ownerKey }).deployments

const filesOf = (contents: Record<string, string>) =>
  Object.entries(contents).map(([path, content]) => ({ path, content }))

const deployFiles = async (team: TestTeam, contents: Record<string, string>, fields = {}): Promise<string> =>
  (await deploy(team, { files: filesOf(contents), ...fields })).id

describe('the files of a deployment', () => {
  it('come by path with size, digest and type', async () => {
    const team = await newTeam(node)
    const deployment = await deployFiles(team, {
      'index.html': 'hello',
      'a/logo.svg': '<svg/>',
      LICENSE: 'x',
    })
    expect(await apiOf(team).files.query({ deployment })).toEqual({
      data: [
        { path: 'LICENSE', size: 1, sha256: sha256('x'), type: 'application/octet-stream' },
        { path: 'a/logo.svg', size: 6, sha256: sha256('<svg/>'), type: 'image/svg+xml; charset=utf-8' },
        { path: 'index.html', size: 5, sha256: sha256('hello'), type: 'text/html; charset=utf-8' },
      ].sort((a, b) => (a.path < b.path ? -1 : 1)),
      next_cursor: null,
    })
  })

  it('come in pages, also where a path is as long as it may be', async () => {
    const team = await newTeam(node)
    const long = Array.from({ length: 4 }, () => '"'.repeat(250)).join('/')
    const paths = ['index.html', long, `${long}x`]
    const deployment = await deployFiles(team, Object.fromEntries(paths.map((path) => [path, path])))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await apiOf(team).files.query({ deployment, limit: 1, cursor })
      seen.push(...page.data.map(({ path }) => path))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(seen.toSorted()).toEqual(paths.toSorted())
  })

  it('with q are those whose path contains it, in any case and literally', async () => {
    const team = await newTeam(node)
    const deployment = await deployFiles(team, {
      'index.html': '',
      'About.html': '',
      'x_y.css': '',
      'xzy.css': '',
    })
    const found = async (q: string) =>
      (await apiOf(team).files.query({ deployment, q })).data.map(({ path }) => path)
    expect(await found('ABOUT')).toEqual(['About.html'])
    expect(await found('x_y')).toEqual(['x_y.css'])
    expect(await found('%')).toEqual([])
  })

  it('are the sources until it is built, and none after a failed build', async () => {
    const team = await newTeam(node)
    const sources = await deployFiles(team, { 'package.json': '{}' })
    const { db } = node.installation.store
    const [made] = await db.select().from(deployments).where(eq(deployments.id, sources))
    const queued = await insertDeployment(node, team, { sourceManifestId: made?.manifestId ?? null })
    const failed = await insertDeployment(node, team, { state: 'error' })
    const paths = async (deployment: string) =>
      (await apiOf(team).files.query({ deployment })).data.map(({ path }) => path)
    expect(await paths(queued)).toEqual(['package.json'])
    expect(await paths(failed)).toEqual([])
  })

  it('refuse a cursor of another list', async () => {
    const team = await newTeam(node)
    const deployment = await deployFiles(team, { 'index.html': '' })
    const cursor = Buffer.from('[1]').toString('base64url')
    await expect(apiOf(team).files.query({ deployment, cursor })).rejects.toMatchObject({
      data: { reason: 'invalid_cursor' },
    })
  })
})

describe('a comparison of deployments', () => {
  const before = { 'index.html': 'old', 'same.css': 'same', 'gone.js': 'gone' }
  const after = { 'index.html': 'newer', 'same.css': 'same', 'new.js': 'added', 'newer.js': '' }

  const compared = (team: TestTeam, input: RouterInputs['deployments']['compare']) =>
    apiOf(team).compare.query(input)

  it('has what was added, removed and changed since the live one', async () => {
    const team = await newTeam(node)
    const live = await deployFiles(team, before, { target: 'production' })
    const deployment = await deployFiles(team, after)
    expect(await compared(team, { deployment })).toEqual({
      with: live,
      added: 2,
      removed: 1,
      changed: 1,
      data: [
        { path: 'gone.js', change: 'removed', size: null, size_before: 4 },
        { path: 'index.html', change: 'changed', size: 5, size_before: 3 },
        { path: 'new.js', change: 'added', size: 5, size_before: null },
        { path: 'newer.js', change: 'added', size: 0, size_before: null },
      ],
      next_cursor: null,
    })
  })

  it('has the counts of all pages on each', async () => {
    const team = await newTeam(node)
    const [old, deployment] = [await deployFiles(team, before), await deployFiles(team, after)]
    const first = await compared(team, { deployment, with: old, limit: 3 })
    expect(first.data).toHaveLength(3)
    const { next_cursor: cursor } = first
    expect(cursor).not.toBeNull()
    const last = await compared(team, { deployment, with: old, limit: 3, cursor: cursor ?? '' })
    expect(last).toMatchObject({ added: 2, removed: 1, changed: 1, next_cursor: null })
    expect(last.data.map(({ path }) => path)).toEqual(['newer.js'])
  })

  it('with itself has nothing, and with nothing live everything', async () => {
    const team = await newTeam(node)
    const deployment = await deployFiles(team, before)
    const none = { added: 0, removed: 0, changed: 0, data: [] }
    expect(await compared(team, { deployment, with: deployment })).toMatchObject({
      with: deployment,
      ...none,
    })
    expect(await compared(team, { deployment })).toMatchObject({
      with: null,
      added: 3,
      removed: 0,
      changed: 0,
    })
  })

  it('with another team’s deployment is 404', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const [deployment, theirs] = [await deployFiles(team, before), await deployFiles(other, before)]
    await expect(compared(team, { deployment, with: theirs })).rejects.toMatchObject({
      data: { reason: 'deployment_not_found' },
    })
  })
})
