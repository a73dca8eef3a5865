/** What a pushed commit says of its own site, in `.svcignore` and `svc.json`. */
import { beforeAll, describe, expect, it } from 'vitest'
import { visit } from '../../../platform/deployments/steps.ts'
import { sharedNode, type TestNode, unique } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkTree } from '../../../support/work-tree.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
})

type Files = Record<string, string | undefined>

/** Pushes each of these commits to one project. */
async function pushEach(commits: Files[], project = unique('site')) {
  const remote = node.apiUrl.replace('//', `//x:${team.ownerKey}@`).concat(`/git/${team.slug}/${project}.git`)
  const tree = await newWorkTree()
  const said: string[] = []
  for (const files of commits) {
    await tree.commit(files)
    said.push((await tree.git('push', '--force', remote, 'main')).said)
  }
  return { project, said: said.join('\n') }
}

const newestOf = async (project: string) => {
  const [newest] = (await team.owner('GET', `/v1/deployments?project=${project}`)).body.data
  return newest
}

async function pathsOf(project: string): Promise<string[]> {
  const { id } = await newestOf(project)
  const input = encodeURIComponent(JSON.stringify({ deployment: id }))
  const { data } = (await team.owner('GET', `/trpc/deployments.files?input=${input}`)).body.result.data
  return data.map(({ path }: { path: string }) => path)
}

const page = { 'index.html': 'home' }

describe('.svcignore', () => {
  it('leaves out what its rules name, and includes what is never deployed otherwise', async () => {
    const { project } = await pushEach([
      {
        ...page,
        '.svcignore': ['drafts/', '*.map', '!kept.map', '/notes.txt', '!.env.example', '!node_modules/'].join(
          '\n',
        ),
        'drafts/a.html': '',
        'blog/drafts/b.html': '',
        'app.js.map': '',
        'kept.map': '',
        'notes.txt': '',
        'blog/notes.txt': '',
        '.env': '',
        '.env.example': '',
        'node_modules/lib/index.js': '',
        ':(top)x.txt': '',
      },
    ])
    expect(await pathsOf(project)).toEqual([
      '.env.example',
      ':(top)x.txt',
      'blog/notes.txt',
      'index.html',
      'kept.map',
      'node_modules/lib/index.js',
    ])
  })

  it('is that of the directory which svc.json names', async () => {
    const { project } = await pushEach([
      {
        'svc.json': '{"directory": "site"}',
        '.svcignore': '*.html',
        'site/.svcignore': '*.txt',
        'site/index.html': '',
        'site/notes.txt': '',
      },
    ])
    expect(await pathsOf(project)).toEqual(['index.html'])
  })

  it.each([
    ['that leaves out every file', '*', 'leaves out every file'],
    ['with a line that is too long', `a\n${'*'.repeat(2_000)}`, 'has more than 1024 characters in line 2'],
    ['that is too large', 'a\n'.repeat(200_000), 'has more than 262144 bytes'],
  ])('%s is refused by name', async (_what, rules, problem) => {
    const { said } = await pushEach([{ ...page, '.svcignore': rules }])
    expect(said).toContain(`".svcignore" ${problem}`)
  })

  it('with rules that take years is refused, and holds nothing up', { tags: 'long' }, async () => {
    const slow = '*[!x]*[!y]*[!z]q\n'.repeat(15_000)
    const names = Array.from({ length: 2_000 }, (_, index) => [`${'a'.repeat(200)}${index}`, ''])
    const { said } = await pushEach([{ ...page, '.svcignore': slow, ...Object.fromEntries(names) }])
    expect(said).toContain('".svcignore" has rules that take more than 20 s')
  })
})

describe('svc.json', () => {
  it('is not deployed, and not named among what is left out', async () => {
    const { project, said } = await pushEach([{ ...page, 'svc.json': '{"spa": false}' }])
    expect(await pathsOf(project)).toEqual(['index.html'])
    expect(said).not.toMatch(/Never deployed|left out/)
  })

  it('alone is no site', async () => {
    const { said } = await pushEach([{ 'svc.json': '{"spa": false}' }])
    expect(said).toContain('svc.json: is the only file of the commit.')
  })

  it('below the site that it names is left out by name', async () => {
    const { said } = await pushEach([
      { 'svc.json': '{"directory": "site"}', 'site/index.html': '', 'site/svc.json': '{}' },
    ])
    expect(said).toContain('Never deployed: svc.json.')
  })
})

describe('spa in svc.json', () => {
  const unknownPage = async (project: string) => {
    const { url } = await newestOf(project)
    const { status, body } = await visit(url, '/no/such/page')
    return { status, body }
  }

  it('holds for its own deployment, before the setting of the project', async () => {
    const { project, said } = await pushEach([{ ...page, 'svc.json': '{"spa": true}' }])
    expect(said).not.toContain('spa is a setting')
    expect(await unknownPage(project)).toEqual({ status: 200, body: 'home' })
    expect((await team.owner('GET', `/v1/projects/${project}`)).body.spa).toBe(false)
    const { url } = await newestOf(project)
    await team.owner('PUT', `/v1/projects/${project}`, { spa: true })
    await pushEach([{ ...page, 'svc.json': '{"spa": false}', other: 'x' }], project)
    expect((await unknownPage(project)).status).toBe(404)
    await team.owner('PUT', `/v1/projects/${project}`, { spa: false })
    expect((await visit(url, '/no/such/page')).status).toBe(200)
  })

  it('is kept by a deployment that is made of its sources again', async () => {
    const { project } = await pushEach([{ ...page, 'svc.json': '{"spa": true}' }])
    const { id } = await newestOf(project)
    await team.owner('POST', '/v1/deployments', { project, from: id, target: 'preview' })
    expect((await newestOf(project)).id).not.toBe(id)
    expect((await unknownPage(project)).status).toBe(200)
  })
})
