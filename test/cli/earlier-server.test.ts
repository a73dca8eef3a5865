/** Servers of the version before don't say who did what: the command leaves that out. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { type Svc, svcWith } from './svc.ts'

const unknownThen = ['actor_name', 'key_name', 'created_by_name', 'source', 'redeploy_of']

const notCallableThen = /tokens\.keyDetails/g

let node: TestNode
let svc: Svc

/** Between the command and the node, it removes what the version before did not have. */
const earlier = createServer(async (request, response) => {
  const body = await buffer(request)
  const { authorization = '' } = request.headers
  const path = request.url?.replaceAll(notCallableThen, 'tokens.notYet') ?? ''
  const received = await fetch(new URL(path, node.apiUrl), {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': 'application/json' },
    ...(body.length > 0 && { body }),
  })
  const known = JSON.parse(await received.text(), (name, value) =>
    unknownThen.includes(name) ? undefined : value,
  )
  response.writeHead(received.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(known))
})

beforeAll(async () => {
  node = await sharedNode()
  earlier.listen(0, '127.0.0.1')
  await once(earlier, 'listening')
  const { port } = z.object({ port: z.number() }).parse(earlier.address())
  const team = await newTeam(node)
  const run = await svcWith(node, team.ownerKey)
  svc = (args) => run(args, { env: { SVC_URL: `http://127.0.0.1:${port}` } })
  await team.owner('PUT', '/v1/projects/web')
  const files = [{ path: 'index.html', content: 'hello' }]
  await team.owner('POST', '/v1/deployments', { project: 'web', files })
})

afterAll(() => {
  earlier.close().closeAllConnections()
})

it.each([
  ['deployments', /^dpl_.*\t-\n$/],
  ['keys', /^key_.*\t-\n$/],
  ['logs -q created', /\tcreated project web\n/],
])('svc %s', async (command, printed) => {
  expect(await svc(command.split(' '))).toEqual({
    code: 0,
    stdout: expect.stringMatching(printed),
    stderr: '',
  })
})
