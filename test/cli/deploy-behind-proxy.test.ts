/** Deploying through a proxy that limits bodies, as nginx does at 1 MB, and whose server restarts. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { visit } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { newHome } from './svc.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const maxBodyBytes = 1024 * 1024

/** A site of the files in a home of its own, the lines that a proxy got, and a deployment through it. */
async function behindProxy(
  files: Record<string, string>,
  statusOf: (line: string) => number | undefined,
  ...args: string[]
) {
  const lines: string[] = []
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const line = `${method} ${new URL(url, node.apiUrl).pathname.replace(/^(\/uploads)\/.*/, '$1')}`
    const isLarge = Number(headers['content-length'] ?? 0) > maxBodyBytes
    const status = isLarge ? 413 : statusOf(line)
    lines.push(status === undefined ? line : `${line} ${status}`)
    if (status !== undefined) {
      incoming.resume()
      outgoing.writeHead(status, { 'content-type': 'text/html', server: 'nginx' }).end(`<h1>${status}</h1>`)
      return
    }
    const passed = request(new URL(url, node.apiUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close().closeAllConnections())
  await once(proxy, 'listening')
  const { port } = z.object({ port: z.number() }).parse(proxy.address())
  const url = `http://127.0.0.1:${port}`
  const team = await newTeam(node)
  const { home, svc } = await newHome()
  const site = join(home, 'site')
  await mkdir(site)
  for (const [name, content] of Object.entries(files)) await writeFile(join(site, name), content)
  const env = { SVC_URL: url, SVC_TOKEN: team.ownerKey }
  const outcome = await svc(['deploy', site, '--project', 'web', '--prod', ...args], { env })
  return { ...outcome, lines, stderr: outcome.stderr.replaceAll(url, '<url>') }
}

const pass = () => undefined
const text = (character: string, bytes: number) => character.repeat(bytes)

it('sends files one by one that are too large for the proxy together', async () => {
  const files = { 'index.html': 'home', 'a.txt': text('a', 700_000), 'b.txt': text('b', 700_000) }
  const { code, stdout, stderr, lines } = await behindProxy(files, pass)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(await visit(stdout.trim(), '/a.txt')).toEqual({ status: 200, body: files['a.txt'] })
  expect(lines.filter((line) => line.endsWith(' 413')).length).toBeGreaterThan(0)
  expect(lines.filter((line) => line === 'PUT /uploads')).toHaveLength(3)
  expect(stderr.match(/A request with the files inside is too large .* \(status 413\)/g)).toHaveLength(1)
})

it('says nothing of that to a program', async () => {
  const files = { 'index.html': 'home', 'a.txt': text('a', 700_000), 'b.txt': text('b', 700_000) }
  const { code, stdout, stderr } = await behindProxy(files, pass, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Created project web.\n' })
  expect(JSON.parse(stdout)).toMatchObject({ project: 'web', live: true })
})

it('says of a file that the proxy refuses alone which limit to raise', async () => {
  const files = { 'index.html': 'home', 'film.mp4': text('x', 3 * 1024 * 1024) }
  const { code, stdout, stderr } = await behindProxy(files, pass)
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
  expect(stderr).toContain(
    'svc: film.mp4 could not be uploaded. A proxy in front of <url> refuses a body of 3.0 MiB ' +
      '(status 413). Raise its limit to that of the server, SVC_MAX_FILE_BYTES: client_max_body_size in ' +
      'nginx.\n',
  )
})

it('says so of a list of files, too', async () => {
  const names = Array.from({ length: 8_000 }, (_, index) => `${text('n', 60)}${index}.txt`)
  const { code, stderr } = await behindProxy(Object.fromEntries(names.map((name) => [name, ''])), pass)
  expect(code).toBe(6)
  expect(stderr).toMatch(/svc: A proxy in front of <url> refuses a body of 1\.\d MiB \(status 413\)/)
})

it('says of a file that something else refuses what answers', async () => {
  const files = { 'index.html': 'home', 'a.txt': text('a', 700_000), 'b.txt': text('b', 700_000) }
  const { code, stderr } = await behindProxy(files, (line) => (line === 'PUT /uploads' ? 403 : undefined))
  expect(code).toBe(6)
  expect(stderr).toMatch(/could not be uploaded\. <url> answered 403 with a page that is no svc API's/)
})

it.each([502, 504])('waits while the proxy answers %i, and deploys once', async (status) => {
  const seen = new Set<string>()
  const files = { 'index.html': 'home', 'a.txt': text('a', 700_000), 'b.txt': text('b', 700_000) }
  const { code, stderr, lines } = await behindProxy(files, (line) => {
    if (seen.has(line)) return undefined
    seen.add(line)
    return status
  })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const refused = lines.filter((line) => line.endsWith(` ${status}`))
  expect(refused).toEqual(expect.arrayContaining([`PUT /uploads ${status}`]))
  expect(refused).toEqual(expect.arrayContaining([`POST /trpc/deployments.create ${status}`]))
})
