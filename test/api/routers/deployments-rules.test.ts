import { request } from 'node:http'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { manifests } from '../../../src/stores/db/schema/manifests.ts'
import { byDigest, deploy, upload, visit } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const page = { path: 'index.html', content: 'home' }

async function create(team: TestTeam, files: unknown[]) {
  await team.owner('PUT', '/v1/projects/web')
  return team.owner('POST', '/v1/deployments', { project: 'web', files })
}

/** The head of a site's response. */
function head(url: string, path: string): Promise<[number | undefined, Record<string, unknown>]> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { host: `${hostname}:${port}` }
    const sent = request({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume()
      resolve([response.statusCode, response.headers])
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function expectNothingStored(team: TestTeam) {
  expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
  const rows = await node.installation.store.db.select().from(manifests).where(eq(manifests.teamId, team.id))
  expect(rows).toEqual([])
}

describe('a deployment with _redirects and _headers', () => {
  const redirects = `# ${unique('by digest')}\n/old/* /new/:splat 301\n`
  const headers = `# ${unique('by digest')}\n/*\n  X-Team: unlike`

  async function expectRules(url: string) {
    expect(await head(url, '/old/x?a=1')).toMatchObject([301, { location: '/new/x?a=1' }])
    expect(await head(url, '/')).toMatchObject([200, { 'x-team': 'unlike' }])
    expect((await visit(url, '/_redirects')).status).toBe(404)
    expect((await visit(url, '/_headers')).status).toBe(404)
  }

  it('inline applies them, and counts them as files', async () => {
    const files = [page, { path: '_redirects', content: redirects }, { path: '_headers', content: headers }]
    const { url, files: count } = await deploy(await newTeam(node), { files })
    expect(count).toBe(3)
    await expectRules(url)
  })

  it('by digest applies them', async () => {
    const team = await newTeam(node)
    const files = [page, byDigest('_redirects', redirects), byDigest('_headers', headers)]
    const refused = await create(team, files)
    expect(refused.body.reason).toBe('files_missing')
    for (const [i, content] of [redirects, headers].entries())
      await upload(refused.body.missing[i].upload_url, content)
    const { status, body } = await create(team, files)
    expect(status).toBe(200)
    await expectRules(body.url)
    const again = await create(team, files)
    await expectRules(again.body.url)
  })

  it('in a subdirectory serves them as files', async () => {
    const { url } = await deploy(await newTeam(node), {
      files: [page, { path: 'docs/_redirects', content: 'nonsense' }],
    })
    expect(await visit(url, '/docs/_redirects')).toEqual({ status: 200, body: 'nonsense' })
  })

  it('has no rules when the files contain none', async () => {
    const team = await newTeam(node)
    const files = [page, { path: '_redirects', content: '# later\n' }, { path: '_headers', content: '' }]
    expect((await create(team, files)).status).toBe(200)
    const [row] = await node.installation.store.db
      .select()
      .from(manifests)
      .where(eq(manifests.teamId, team.id))
    expect(row?.rules).toBeNull()
  })
})

describe('warnings', () => {
  const none = {
    path: '_redirects',
    content: 'https://www.example.com/* /:splat 301\n/a /b\n/a /c\n/x /y 200',
  }
  const headers = { path: '_headers', content: 'https://:project.pages.dev/*\n  X-Robots-Tag: noindex\n' }
  const all = [
    { path: '_redirects', line: 1, message: expect.stringMatching(/^https:\/\/www.* is passed over: .+\.$/) },
    {
      path: '_headers',
      line: 1,
      message: expect.stringMatching(/^https:\/\/:project.* is passed over: .+\.$/),
    },
    { path: '_redirects', line: 3, message: 'never applies: line 2 is for the same path.' },
    { path: '_redirects', line: 4, message: '/y is no file of the site, so that visitors get 404.' },
    { message: 'The site has no index.html, so that its first page is 404.' },
    { path: 'vercel.json', message: expect.stringMatching(/^has no effect: it is for Vercel; .+\.$/) },
  ]

  it('are in the response, in what is read later, and in lists', async () => {
    const team = await newTeam(node)
    const files = [none, headers, { path: 'vercel.json', content: '{}' }]
    const { status, body } = await create(team, files)
    expect([status, body.warnings]).toEqual([200, all])
    expect((await team.owner('GET', `/v1/deployments/${body.id}`)).body.warnings).toEqual(all)
    expect((await team.owner('GET', '/v1/deployments')).body.data[0].warnings).toEqual(all)
  })

  it('are the same for files that were uploaded before', async () => {
    const team = await newTeam(node)
    const marked = { ...none, content: `${none.content}\n# ${unique('uploaded')}` }
    const files = [byDigest(marked.path, marked.content), headers, { path: 'vercel.json', content: '{}' }]
    const refused = await create(team, files)
    await upload(refused.body.missing[0].upload_url, marked.content)
    expect((await create(team, files)).body.warnings).toEqual(all)
  })

  it('are none for a site as it should be', async () => {
    const files = [page, { path: '_redirects', content: '/old /new\n/* /index.html 200' }]
    expect((await deploy(await newTeam(node), { files })).warnings).toEqual([])
  })

  it('are a hundred at most, of which the last counts the rest', async () => {
    const content = Array.from({ length: 130 }, (_, i) => `https://${i}.example/* /x`).join('\n')
    const { warnings } = await deploy(await newTeam(node), {
      files: [page, { path: '_redirects', content }],
    })
    expect(warnings).toHaveLength(100)
    expect(warnings[99]).toEqual({ message: 'There are 31 more warnings.' })
  })
})

describe('400 invalid_input', () => {
  it('with the file’s place, the line and a suggestion, for each invalid line', async () => {
    const team = await newTeam(node)
    const { status, body } = await create(team, [
      page,
      { path: '_headers', content: '/*\n  Set-Cookie: a=b\n' },
      { path: '_redirects', content: '/a /b\r\n/c\r\n/d https://example.com/ 404\r\n' },
    ])
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'BAD_REQUEST',
      reason: 'invalid_input',
      issues: [
        { path: 'files.2', message: expect.stringMatching(/^_redirects, line 2: a rule is from, to/) },
        {
          path: 'files.2',
          message: expect.stringMatching(/^_redirects, line 3: a 404 is answered with a page/),
        },
        { path: 'files.1', message: expect.stringMatching(/^_headers, line 2: remove Set-Cookie: /) },
      ],
    })
    expect(body.message).toMatch(/^_redirects, line 2: .+\.$/)
    await expectNothingStored(team)
  })

  it('before anything has to be uploaded', async () => {
    const team = await newTeam(node)
    const files = [{ path: '_redirects', content: '/a' }, byDigest('index.html', unique('missing'))]
    expect((await create(team, files)).body.reason).toBe('invalid_input')
  })

  it('also for an uploaded file', async () => {
    const team = await newTeam(node)
    const content = `# ${unique('bad')}\n/a`
    const files = [page, byDigest('_redirects', content)]
    const refused = await create(team, files)
    await upload(refused.body.missing[0].upload_url, content)
    const { status, body } = await create(team, files)
    expect(status).toBe(400)
    expect(body.issues).toEqual([
      { path: 'files.1', message: expect.stringMatching(/^_redirects, line 2: /) },
    ])
    await expectNothingStored(team)
  })

  it.each([
    ['over 1 MiB', { path: '_redirects', content: `#${'x'.repeat(1024 * 1024)}` }, 'at most 1048576 bytes'],
    [
      'over 1 MiB that is not uploaded yet',
      { path: '_headers', sha256: 'a'.repeat(64), size: 1024 * 1024 + 1 },
      'at most 1048576 bytes',
    ],
    ['that is not text', { path: '_headers', content_base64: '/w==' }, 'must be UTF-8 text'],
  ])('for a file %s', async (_, file, message) => {
    const team = await newTeam(node)
    const { status, body } = await create(team, [page, file])
    expect(status).toBe(400)
    expect(body.issues).toEqual([{ path: 'files.1', message: expect.stringContaining(message) }])
    await expectNothingStored(team)
  })
})
