/** Deploying a directory from the terminal: what is sent, what is sent again, and what is printed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { blobs } from '../../src/stores/db/schema/blobs.ts'
import { visit } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome, svcMain } from './svc.ts'

let node: TestNode
let team: TestTeam
let env: Record<string, string>
let home: string
let site: string
let run: Awaited<ReturnType<typeof newHome>>['svc']

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  ;({ home, svc: run } = await newHome())
  site = join(home, 'site')
  env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey, PATH: String(process.env.PATH) }
})

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(site, path)), { recursive: true })
    await writeFile(join(site, path), content)
  }
}

const deploy = (...args: string[]) => run(['deploy', site, ...args], { env })

async function deployed(...args: string[]) {
  const { code, stdout, stderr } = await deploy('--json', ...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** Seven of these are sent in the call that creates the deployment. */
const large = (name: string) => `${name} ${'x'.repeat(1_000_000)}`

function largeSite(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, i) => `page-${i}.html`)
  return Object.fromEntries(names.map((name) => [name, large(name)]))
}

/** The address of a proxy to the node that records requests; `interfere` may respond in its place. */
async function between(
  interfere: (line: string, count: number) => 'cut' | 'busy' | 'hang' | 'lose' | undefined = () => undefined,
) {
  const lines: string[] = []
  let answered = 0
  const proxy = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url?.split('?')[0]}`
    lines.push(line)
    const fault = interfere(line, lines.length)
    if (fault === 'hang') return
    if (fault === 'cut') return incoming.socket.destroy()
    if (fault === 'busy') return outgoing.writeHead(503, { 'retry-after': '0' }).end('{}')
    const onward = request(
      new URL(incoming.url ?? '', node.apiUrl),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => {
          // The upload URLs lead here, too.
          const body = Buffer.concat(chunks)
            .toString('utf8')
            .replaceAll(`${node.apiUrl}/uploads`, `${url}/uploads`)
          if (fault === 'lose') return incoming.socket.destroy()
          if (line.startsWith('PUT /uploads/') && answer.statusCode === 200) answered += 1
          outgoing.writeHead(answer.statusCode ?? 0, { 'content-type': 'application/json' }).end(body)
        })
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  env.SVC_URL = url
  const uploads = () => lines.filter((line) => line.startsWith('PUT /uploads/')).length
  return { lines, uploads, answered: () => answered, close: () => proxy.close().closeAllConnections() }
}

describe('svc deploy', () => {
  it('makes a directory a preview, and prints only its URL', async () => {
    await write({ 'index.html': 'hello', 'a/b.txt': 'b', '.env': 'SECRET=1' })
    const { code, stdout, stderr } = await deploy('--project', 'web')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^http:\/\/web-[0-9a-f]{12}\.localhost:\d+\n$/)
    expect(stderr).toMatch(/^Reading 2 files, 6 B\ndpl_[0-9a-f]{32}: 2 files, 6 B, a preview\.\n$/)
    expect(await visit(stdout.trim(), '/')).toEqual({ status: 200, body: 'hello' })
    expect(await visit(stdout.trim(), '/a/b.txt')).toEqual({ status: 200, body: 'b' })
    expect(await visit(stdout.trim(), '/.env')).toMatchObject({ status: 404 })
  })

  it('makes a project that is missing, and says once what it reads', async () => {
    await write({ 'index.html': 'hello' })
    const { stderr } = await deploy('--project', 'fresh', '--prod')
    expect(stderr).toMatch(/^Reading 1 file, 5 B\nCreated project fresh\.\ndpl_\w+: 1 file, 5 B, live\.\n$/)
  })

  it('makes it production with --prod, with metadata of its own', async () => {
    await write({ 'index.html': 'live' })
    const answer = await deployed('--project', 'web', '--prod', '--meta', 'ticket=12', '--meta', 'note=a=b')
    expect(answer).toMatchObject({ project: 'web', target: 'production', live: true })
    expect(answer.meta).toEqual({ ticket: '12', note: 'a=b' })
    expect(await visit(answer.aliases[0], '/')).toEqual({ status: 200, body: 'live' })
  })

  it('prints the warnings of a deployment, which are kept with it', async () => {
    await write({
      'about.html': 'about',
      _redirects: 'https://www.example.com/* /:splat 301\n',
      _headers: '/*\n  X-A: 1 # why\n',
    })
    const { code, stdout, stderr } = await deploy('--project', 'web')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^http:\S+\n$/)
    const warnings = [
      expect.stringMatching(/^_redirects, line 1: https:\/\/www\.example\.com\/\* is passed over: /),
      expect.stringMatching(/^_headers, line 2: # why is part of the value; /),
      'The site has no index.html, so that its first page is 404.',
    ]
    const printed = stderr.split('\n').flatMap((line) => line.split(/^Warning: /)[1] ?? [])
    expect(printed).toEqual(warnings)
    const [{ id }] = (await team.owner('GET', '/v1/deployments')).body.data
    const described = await run(['deployments', 'show', id], { env })
    expect(described.stdout.split('\n').flatMap((line) => line.split(/^warning\t/)[1] ?? [])).toEqual(
      warnings,
    )
  })

  it('records the commit that is checked out', async () => {
    await write({ 'index.html': 'from git' })
    const git = (...args: string[]) =>
      once(
        spawn('git', ['-C', site, '-c', 'user.name=n', '-c', 'user.email=e@example.com', ...args]),
        'close',
      )
    await git('init', '-q', '-b', 'feature/x')
    await git('add', '.')
    await git('commit', '-q', '-m', 'The first page', '-m', 'And more.')
    const { meta } = await deployed('--meta', 'message=mine')
    expect(meta).toEqual({
      branch: 'feature/x',
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      message: 'mine',
      author: 'n',
    })
  })

  it('prints the own address of a preview, and beside it that of its branch', async () => {
    await write({ 'index.html': 'of a branch' })
    const { code, stdout, stderr } = await deploy('--project', 'web', '--meta', 'branch=next')
    const [{ url, aliases }] = (await team.owner('GET', '/v1/deployments')).body.data
    expect([code, stdout]).toEqual([0, `${url}\n`])
    expect(stderr).toContain(`Also at ${aliases[0]}\n`)
    expect(await visit(aliases[0], '/')).toMatchObject({ body: 'of a branch' })
  })

  it("defaults to the working directory and the team's only project for a preview", async () => {
    await write({ 'index.html': 'here' })
    const { code, stdout } = await run(['deploy'], { env, cwd: site })
    expect(code).toBe(0)
    expect(await visit(stdout.trim(), '/')).toMatchObject({ body: 'here' })
  })

  it('sends small sites in one request, and afterwards only the changes', async () => {
    await write({ 'index.html': 'one', 'other.html': 'two' })
    const { lines, close } = await between()
    await deployed('--project', 'web')
    expect(lines).toEqual(['POST /trpc/deployments.create'])
    await write({ 'index.html': 'changed' })
    const { url } = await deployed('--project', 'web')
    close()
    expect(lines).toHaveLength(2)
    expect(await visit(url, '/')).toMatchObject({ body: 'changed' })
    expect(await visit(url, '/other')).toMatchObject({ body: 'two' })
  })

  it('uploads large sites, each blob once', async () => {
    await write({ ...largeSite(12), 'copy.html': large('page-1.html') })
    const { uploads, close } = await between()
    const { url, files } = await deployed('--project', 'web')
    close()
    expect(files).toBe(13)
    // The smallest ones are sent in the call.
    expect(uploads()).toBe(5)
    for (const path of ['page-0.html', 'page-1.html', 'page-9.html']) {
      expect(await visit(url, `/${path}`)).toEqual({ status: 200, body: large(path) })
    }
    expect(await visit(url, '/copy.html')).toEqual({ status: 200, body: large('page-1.html') })
  })

  it('shows no upload progress if all missing files are sent with the next call', async () => {
    await write({ 'index.html': 'small' })
    const { id } = await deployed('--project', 'web')
    await team.owner('DELETE', `/v1/deployments/${id}`)
    await node.installation.store.db.delete(blobs).where(eq(blobs.teamId, team.id))
    const { code, stderr } = await deploy('--project', 'web')
    expect(code).toBe(0)
    expect(stderr).not.toContain('Sending')
  })

  it('notices a change that keeps size and time', async () => {
    await write({ 'index.html': 'one' })
    const { mtime, atime } = await stat(join(site, 'index.html'))
    await deployed()
    await write({ 'index.html': 'two' })
    await utimes(join(site, 'index.html'), atime, mtime)
    const { url } = await deployed()
    expect(await visit(url, '/')).toMatchObject({ body: 'two' })
  })

  it('uploads again what the server has lost since an earlier upload', async () => {
    await write({ 'index.html': 'kept here' })
    const { id } = await deployed()
    await team.owner('DELETE', `/v1/deployments/${id}`)
    await team.owner('DELETE', '/v1/projects/web')
    await team.owner('PUT', '/v1/projects/web')
    const { url } = await deployed()
    expect(await visit(url, '/')).toMatchObject({ body: 'kept here' })
  })

  it('retries an upload that was cut off or refused temporarily', async () => {
    await write(largeSite(12))
    let faults = 0
    const { close } = await between((line) => {
      if (!line.startsWith('PUT /uploads/') || faults === 4) return undefined
      faults += 1
      return faults % 2 === 0 ? 'cut' : 'busy'
    })
    const { url } = await deployed('--project', 'web')
    close()
    expect(faults).toBe(4)
    expect(await visit(url, '/page-9.html')).toEqual({ status: 200, body: large('page-9.html') })
  })

  it('deploys once, however often the response is lost', async () => {
    await write({ 'index.html': 'once' })
    let lost = 0
    const { lines, close } = await between((line) => {
      if (line !== 'POST /trpc/deployments.create' || lost === 3) return undefined
      lost += 1
      return lost === 2 ? 'cut' : 'lose'
    })
    const { id } = await deployed('--project', 'web')
    close()
    expect(lines.filter((line) => line.startsWith('POST'))).toHaveLength(4)
    const { body } = await team.owner('GET', '/v1/deployments')
    expect(body.data.map((each: { id: string }) => each.id)).toEqual([id])
  })

  it('resumes after an interruption', async () => {
    await write(largeSite(16))
    let passed = 0
    const stopped = await between((line) => {
      if (!line.startsWith('PUT /uploads/')) return undefined
      passed += 1
      return passed > 5 ? 'hang' : undefined
    })
    const child = spawn(process.execPath, [await svcMain(), 'deploy', site, '--project', 'web'], {
      env: { HOME: home, ...env },
    })
    await expect.poll(() => [stopped.answered(), stopped.uploads()], { timeout: 20_000 }).toEqual([5, 9])
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([130, null])
    stopped.close()
    const before = await team.owner('GET', '/v1/deployments')
    expect(before.body.data).toEqual([])
    const resumed = await between()
    const { url } = await deployed('--project', 'web')
    resumed.close()
    expect(resumed.uploads()).toBeLessThanOrEqual(4)
    expect(await visit(url, '/page-15.html')).toEqual({ status: 200, body: large('page-15.html') })
  })

  it('leaves only its cache in the home directory', async () => {
    await write({ 'index.html': 'x' })
    await deployed()
    expect((await readdir(home)).toSorted()).toEqual(['.cache', 'site', 'work'])
  })

  it.each([
    ['there is no such directory', ['gone'], 2, /^svc: There is no directory .*gone\.\n$/],
    ['a meta has no key', ['.', '--meta', 'x'], 2, /key=value/],
    ['an option is unknown', ['.', '--production'], 2, /unknown option '--production'/],
  ])('reports when %s', async (_what, args, code, message) => {
    await write({ 'index.html': 'x' })
    const outcome = await run(['deploy', ...args], { env, cwd: site })
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) })
  })

  it('reports when there is nothing to deploy', async () => {
    await mkdir(site)
    expect(await deploy()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/No files to deploy in .*site\.\n$/),
    })
  })

  it('creates no project and no file for what it refuses', async () => {
    const project = unique('empty')
    await mkdir(site)
    expect(await deploy('--project', project)).toMatchObject({ code: 1, stdout: '' })
    await symlink('/etc/passwd', join(site, 'a.html'))
    expect(await deploy('--project', project)).toMatchObject({ code: 1, stdout: '' })
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
    expect(await readdir(site)).toEqual(['a.html'])
  })

  it('reports when the server is unreachable', async () => {
    await write({ 'index.html': 'x' })
    const { close } = await between()
    close()
    const { code, stdout, stderr } = await deploy('--project', 'web', '--json')
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ reason: 'server_away' })
  })

  it('sends all that is missing once what was refused is corrected', async () => {
    await write({ 'index.html': unique('home'), _redirects: '/a\n' })
    expect(await deploy('--project', 'web')).toMatchObject({ code: 2 })
    await write({ _redirects: '/a /b\n' })
    expect(await deploy('--project', 'web')).toMatchObject({ code: 0 })
    await rm(join(site, '_redirects'))
  })

  it('names the line of a rule file or the path that the server refuses', async () => {
    await write({ 'a\\b.txt': 'x' })
    const { code, stderr } = await deploy('--project', 'web')
    expect(code).toBe(2)
    expect(stderr).toContain('"a\\\\b.txt" must use / between its segments, not a backslash.')
    await rm(join(site, 'a\\b.txt'))
  })
})
