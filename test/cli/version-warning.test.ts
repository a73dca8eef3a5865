/** `svc` and a server of another version. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { resolve } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { version } from '../../src/lib/version.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { type Svc, svcWith } from './svc.ts'

let node: TestNode
let team: TestTeam
let svc: Svc

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
})

/** The address of a proxy to the node that names this version instead. */
async function nodeOf(otherVersion: string): Promise<string> {
  const server = createServer((received, response) => {
    const { method, headers } = received
    const sent = request(new URL(received.url ?? '', node.apiUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, { ...answer.headers, 'x-svc-version': otherVersion })
      answer.pipe(response)
    })
    received.pipe(sent)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return `http://127.0.0.1:${port}`
}

it('gets the version with each response', async () => {
  const { status, headers } = await fetch(new URL('/trpc/projects.list?input={}', node.apiUrl))
  expect({ status, version: headers.get('x-svc-version') }).toEqual({ status: 401, version })
})

it('is silent if both have the same version', async () => {
  expect(await svc(['projects', 'add', unique('web')])).toMatchObject({ code: 0, stderr: '' })
})

it('warns once if they differ, with how to install the other', async () => {
  const url = await nodeOf('9.8.7')
  const env = { SVC_URL: url }
  const site = resolve('examples/hello/site')
  const { code, stderr } = await svc(['deploy', site, '--project', unique('web')], { env })
  const warning =
    `svc is version ${version}, the server 9.8.7. ` + `Install its own: npm install -g ${url}/svc.tgz\n`
  expect({ code, warnings: stderr.split(warning).length - 1, stderr }).toMatchObject({ code: 0, warnings: 1 })
  expect(await svc(['status', '--json'], { env })).toMatchObject({ code: 0, stderr: '' })
})
