/** Sources that are built again, and those of somebody outside the team. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import { sendRequest } from '../../../roles/edge/client.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
import { testTimeout } from '../build.ts'
import { deployBuild, startBuildNodes, whenEnded, whenIn } from '../build-node.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes({ SVC_BUILD_CONCURRENCY: '1' })
  ;({ node } = nodes)
})
afterAll(() => nodes.stop())

beforeEach(async () => {
  team = await newTeam(node)
})

const greet = 'mkdir dist && echo "$GREETING to $(cat page.txt)" > dist/index.html'

const setGreeting = (value: string) =>
  team.owner('PUT', '/v1/projects/web', { env: [{ key: 'GREETING', value }] })

async function redeploy(from: string): Promise<string> {
  const { status, body } = await team.owner('POST', '/v1/deployments', { project: 'web', from })
  expect({ status, state: body.state }).toEqual({ status: 200, state: 'queued' })
  return body.id
}

describe('sources are built again', { timeout: testTimeout }, () => {
  it('with the variables of today', async () => {
    await setGreeting('Good morning')
    const { id } = await deployBuild(team, greet, { target: 'production' })
    expect(await visit((await whenEnded(team, id)).url)).toMatchObject({ body: 'Good morning to hello\n' })
    await setGreeting('Good night')
    const again = await whenEnded(team, await redeploy(id))
    expect(again).toMatchObject({ state: 'ready', live: true, redeploy_of: id })
    expect(await visit(again.url)).toMatchObject({ body: 'Good night to hello\n' })
  })

  it('with the settings of today, where the request gave none', async () => {
    await team.owner('PUT', '/v1/projects/web', { build: { build_command: 'false' } })
    const { body: failed } = await team.owner('POST', '/v1/deployments', {
      project: 'web',
      files: [{ path: 'page.txt', content: 'hello' }],
    })
    expect(await whenEnded(team, failed.id)).toMatchObject({ state: 'error' })
    await team.owner('PUT', '/v1/projects/web', { build: { build_command: greet } })
    expect(await whenEnded(team, await redeploy(failed.id))).toMatchObject({ state: 'ready' })
  })

  it('after they were canceled', async () => {
    const { id } = await deployBuild(team, greet)
    await team.owner('DELETE', `/v1/deployments/${id}`)
    expect(await whenEnded(team, await redeploy(id))).toMatchObject({ state: 'ready' })
  })

  it('the files of a deployment that failed are those sources', async () => {
    const { id } = await deployBuild(team, 'false')
    await whenEnded(team, id)
    const { body } = await team.owner('GET', `/v1/deployments/${id}`)
    expect(body).toMatchObject({ state: 'error', files: 1 })
  })
})

describe('sources of somebody outside the team', { timeout: testTimeout }, () => {
  it('are built without variables, and never become production', async () => {
    await setGreeting('Nobody should read this')
    const running = await deployBuild(team, 'sleep 100')
    await whenIn(team, running.id, 'building')
    const { id } = await deployBuild(team, greet, { target: 'production' })
    const { db } = node.installation.store
    await db.update(deployments).set({ untrusted: true }).where(eq(deployments.id, id))
    await team.owner('DELETE', `/v1/deployments/${running.id}`)
    const ended = await whenEnded(team, id)
    expect(ended).toMatchObject({ state: 'ready', live: false, untrusted: true })
    expect((await visit(ended.url)).status).toBe(401)
    const { port, host } = new URL(ended.url)
    const seen = await sendRequest(Number(port), host, '/', { authorization: `Bearer ${team.ownerKey}` })
    expect(seen.text).toBe(' to hello\n')
    expect((await team.owner('POST', `/v1/deployments/${id}/promote`)).status).toBe(409)
  })
})
