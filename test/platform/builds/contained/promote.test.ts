/** Which of several builds becomes live. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { deploy, visit } from '../../deployments/steps.ts'
import { testTimeout } from '../build.ts'
import { deployBuild, startBuildNodes, whenEnded, whenIn } from '../build-node.ts'
import { newHold } from '../hold.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes({ SVC_BUILD_CONCURRENCY: '2' })
  ;({ node } = nodes)
})
afterAll(() => nodes.stop())

beforeEach(async () => {
  team = await newTeam(node)
})

const production = (command: string) => deployBuild(team, command, { target: 'production' })
const page = (text: string) => `mkdir dist && echo ${text} > dist/index.html`

describe('a build for production', { timeout: testTimeout }, () => {
  it('is live when it is ready, and not before', async () => {
    const hold = newHold()
    const { id, live } = await production(`${hold.command}; ${page('built')}`)
    expect(live).toBe(false)
    await whenIn(team, id, 'building')
    expect((await team.owner('GET', `/v1/deployments/${id}`)).body.live).toBe(false)
    await hold.release()
    const ended = await whenEnded(team, id)
    expect(ended).toMatchObject({ state: 'ready', live: true, live_since_ms: ended.ready_ms })
    expect((await visit(ended.aliases[0])).body).toBe('built\n')
  })

  it('does not replace a newer one that finished earlier', async () => {
    const hold = newHold()
    const older = await production(`${hold.command}; ${page('older')}`)
    await whenIn(team, older.id, 'building')
    const newer = await production(page('newer'))
    expect(await whenEnded(team, newer.id)).toMatchObject({ state: 'ready', live: true })
    await hold.release()
    expect(await whenEnded(team, older.id)).toMatchObject({
      state: 'ready',
      live: false,
      live_since_ms: null,
    })
    expect((await visit((await whenEnded(team, newer.id)).aliases[0])).body).toBe('newer\n')
  })

  it('does not replace a deployment that was promoted meanwhile', async () => {
    const byHand = await deploy(team, { project: 'web' })
    const hold = newHold()
    const { id } = await production(`${hold.command}; ${page('built')}`)
    await whenIn(team, id, 'building')
    await team.owner('POST', `/v1/deployments/${byHand.id}/promote`)
    await hold.release()
    expect(await whenEnded(team, id)).toMatchObject({ state: 'ready', live: false })
    expect((await team.owner('GET', `/v1/deployments/${byHand.id}`)).body.live).toBe(true)
  })

  it('409 not_ready when it is promoted before', async () => {
    const { id } = await production('sleep 1000')
    const { status, body } = await team.owner('POST', `/v1/deployments/${id}/promote`)
    expect(status).toBe(409)
    expect(body.reason).toBe('not_ready')
    await team.owner('DELETE', `/v1/deployments/${id}`)
  })

  it('keeps the live deployment if it fails', async () => {
    const before = await production(page('before'))
    await whenEnded(team, before.id)
    const { id } = await production('exit 1')
    expect((await whenEnded(team, id)).state).toBe('error')
    expect((await team.owner('GET', `/v1/deployments/${before.id}`)).body.live).toBe(true)
  })
})
