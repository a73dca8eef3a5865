/** A promote or rollback of a site with a server costs no request. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { until } from '../../../support/eventually.ts'
import { startTestNode, type TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
import { deployAsServer } from '../deploy-as-server.ts'
import { testTimeout } from '../server.ts'

vi.setConfig({ testTimeout, hookTimeout: testTimeout })

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge' })
  team = await newTeam(node)
})
afterAll(() => node?.stop())

/** A server that says `word` some time after it was started. */
const saying = (word: string, afterMs = 0) =>
  `setTimeout(() => require('node:http').createServer((_, response) => response.end('${word}'))
    .listen(process.env.PORT), ${afterMs})`

/** Visitors who come one after another, until they are to stop. */
function visitAgain(url: string) {
  const answers: Awaited<ReturnType<typeof visit>>[] = []
  let isOver = false
  async function come(): Promise<void> {
    while (!isOver) answers.push(await visit(url))
  }
  const done = Promise.all([come(), come(), come()])
  return {
    answers,
    async stop() {
      isOver = true
      await done
    },
  }
}

const promote = async (id: string) => {
  const { status } = await team.owner('POST', `/v1/deployments/${id}/promote`)
  expect(status).toBe(200)
}

async function pairOf(project: string, later: string) {
  const first = await deployAsServer(node, team, {
    content: saying('old'),
    ...{ project, target: 'production' },
  })
  const next = await deployAsServer(node, team, { content: later, project, target: 'preview' })
  const { body } = await team.owner('GET', `/v1/projects/${project}`)
  return { first, next, url: String(body.production_url) }
}

describe('no visitor is refused, and nobody waits', () => {
  it.each([
    ['for a server that starts at once', 0],
    ['for one that takes two seconds', 2_000],
  ])('%s', async (name, afterMs) => {
    const { first, next, url } = await pairOf(`starts-${afterMs}`, saying('new', afterMs))
    expect(await visit(url)).toEqual({ status: 200, body: 'old' })
    const visitors = visitAgain(url)
    await promote(next.id)
    const before = visitors.answers.length
    await until(() => visitors.answers.at(-1)?.body === 'new')
    await promote(first.id)
    await until(() => visitors.answers.at(-1)?.body === 'old')
    await visitors.stop()
    expect(visitors.answers.filter(({ status }) => status !== 200)).toEqual([])
    const meanwhile = visitors.answers.slice(before).findIndex(({ body }) => body === 'new')
    expect(meanwhile, name).toBeGreaterThan(afterMs / 100)
  })

  it('for one that never listens', async () => {
    const { next, url } = await pairOf('broken', 'process.exit(1)')
    expect(await visit(url)).toEqual({ status: 200, body: 'old' })
    const visitors = visitAgain(url)
    await promote(next.id)
    await until(async () => {
      const { body } = await team.owner('GET', `/v1/deployments/${next.id}`)
      return body.server.state === 'crashed'
    })
    await visitors.stop()
    expect(visitors.answers.filter(({ body }) => body !== 'old')).toEqual([])
  })
})

it('who may see the site is what the project says now', async () => {
  const { next, url } = await pairOf('hidden', saying('new', 60_000))
  expect(await visit(url)).toEqual({ status: 200, body: 'old' })
  await promote(next.id)
  expect(await visit(url)).toEqual({ status: 200, body: 'old' })
  await team.owner('PUT', '/v1/projects/hidden', { protection: 'all' })
  await until(async () => (await visit(url)).status === 401)
})

it('a site whose server does not run is the next one at once', async () => {
  const { first, next, url } = await pairOf('idle', saying('new'))
  expect(await visit(url)).toEqual({ status: 200, body: 'old' })
  await team.owner('POST', '/trpc/ps.restart', { project: 'idle' })
  await until(async () => {
    const { body } = await team.owner('GET', `/v1/deployments/${first.id}`)
    return body.server.state === 'stopped'
  })
  await promote(next.id)
  expect(await visit(url)).toEqual({ status: 200, body: 'new' })
})
