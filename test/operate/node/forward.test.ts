/** Rules that pass requests on, on a whole node. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import { sharedNode, startTestNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

const server = createServer((req, res) => res.end(`${req.method} ${req.url}`)).listen(0, '127.0.0.1')
let open: TestNode

beforeAll(async () => {
  if (!server.listening) await once(server, 'listening')
  open = await startTestNode({ SVC_FORWARD_PRIVATE: '1' })
})

afterAll(async () => {
  await open.stop()
  server.close()
})

async function siteOf(node: TestNode): Promise<string> {
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const team = await newTeam(node)
  const rules = { path: '_redirects', content: `/api/* http://127.0.0.1:${port}/:splat 200` }
  const { url } = await deploy(team, { files: [{ path: 'index.html', content: 'home' }, rules] })
  return url
}

it('reach no address inside', async () => {
  expect(await visit(await siteOf(await sharedNode()), '/api/x')).toMatchObject({
    status: 502,
    body: 'The server behind this path gave no answer. The host has no public address.\n',
  })
})

it('unless SVC_FORWARD_PRIVATE lets them', async () => {
  const url = await siteOf(open)
  expect(await visit(url, '/api/x?y=1')).toMatchObject({ status: 200, body: 'GET /x?y=1' })
  expect(await visit(url, '/')).toMatchObject({ status: 200, body: 'home' })
})
