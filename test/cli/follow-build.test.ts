/** A build's output is printed while it runs, and until it has ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { clientOf } from '../../src/cli/connection/connect.ts'
import { followBuild } from '../../src/cli/logs/follow-build.ts'
import { deployments } from '../../src/stores/db/schema/projects.ts'
import { startTcpProxy } from '../api/server/tcp-proxy.ts'
import { insertDeployment } from '../platform/deployments/steps.ts'
import { writeLines } from '../platform/observability/logs/lines.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

function follow(deploymentId: string, url = node.apiUrl) {
  const stop = new AbortController()
  const { env, stdin, stdout, stderr } = process
  const api = clientOf({ env, stdin, stdout, stderr, signal: stop.signal }, {}, { url, token: team.ownerKey })
  const printed: string[] = []
  const states = new Set<string>()
  const watcher = {
    write: ({ message }: { message: string }) => void printed.push(message),
    onLook: ({ state }: { state: string }) => void states.add(state),
  }
  return { printed, states, stop, ended: followBuild({ api, signal: stop.signal }, deploymentId, watcher) }
}

const print = (deploymentId: string, ...messages: string[]) =>
  writeLines(
    node,
    team,
    messages.map((message) => ({ message, deploymentId, timeMs: Date.now() })),
  )

/** Ends a build as a worker does: its last lines are there before its state is. */
const end = (deploymentId: string, state: 'ready' | 'error' | 'canceled') =>
  node.installation.store.db
    .update(deployments)
    .set({ state, endedMs: Date.now() })
    .where(eq(deployments.id, deploymentId))

/** Prints now and then, and checks what a follower has printed when the build ends like this. */
async function followUntil(state: 'ready' | 'error' | 'canceled'): Promise<void> {
  const id = await insertDeployment(node, team, { state: 'building' })
  await print(id, 'npm install')
  const following = follow(id)
  const wanted = ['npm install']
  for (let step = 0; step < 6; step += 1) {
    await sleep(400)
    await print(id, `step ${step}`, `step ${step} done`)
    wanted.push(`step ${step}`, `step ${step} done`)
  }
  expect(following.printed.length).toBeGreaterThan(0)
  await print(id, 'the end')
  await end(id, state)
  expect(await following.ended).toMatchObject({ id, state })
  expect(following.printed).toEqual([...wanted, 'the end'])
  expect([...following.states]).toEqual(['building'])
}

it('every line once and in order, until it is ready', () => followUntil('ready'))

it.each(['error', 'canceled'] as const)(
  'every line once and in order, until it is %s',
  { tags: 'long' },
  followUntil,
)

it('the whole log of one that has ended, however long', async () => {
  const id = await insertDeployment(node, team, { state: 'ready', endedMs: 1 })
  const lines = Array.from({ length: 230 }, (_, index) => `line ${index}`)
  await print(id, ...lines)
  const { printed, ended } = follow(id)
  expect((await ended).state).toBe('ready')
  expect(printed).toEqual(lines)
})

it('continues after the server was unreachable', async () => {
  const { hostname, port } = new URL(node.apiUrl)
  const proxy = await startTcpProxy(hostname, Number(port))
  const id = await insertDeployment(node, team, { state: 'building' })
  await print(id, 'one')
  const { printed, ended } = follow(id, `http://127.0.0.1:${proxy.port}`)
  await sleep(500)
  await proxy.cut()
  await print(id, 'two')
  await sleep(500)
  await end(id, 'ready')
  await proxy.restore()
  expect((await ended).state).toBe('ready')
  expect(printed).toEqual(['one', 'two'])
  await proxy.cut()
})

it('ends with the server’s refusal, and when it is interrupted', async () => {
  await expect(follow('dpl_none').ended).rejects.toThrow('The team has no deployment dpl_none.')
  const { stop, ended } = follow(await insertDeployment(node, team, { state: 'queued' }))
  setTimeout(() => stop.abort(new Error('stopped')), 300)
  await expect(ended).rejects.toThrow('stopped')
})
