/** Subscriptions with the typed client. */
import { isTRPCClientError } from '@trpc/client'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import type { Message } from '../../../src/stores/events/live/messages.ts'
import { enforcingNode } from '../../support/enforcing-node.ts'
import { sharedNode, startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
})

type Options = Parameters<typeof createClient>[0]

/** What a client receives. */
function subscribe(options: Options) {
  const messages: Message[] = []
  const errors: unknown[] = []
  const client = createClient(options)
  const subscription = client.events.follow.subscribe(
    {},
    { onData: ({ data }) => void messages.push(data), onError: (error) => void errors.push(error) },
  )
  onTestFinished(() => subscription.unsubscribe())
  const types = () => messages.map(({ type }) => type)
  return {
    client,
    types,
    reasons: () => errors.map((error) => isTRPCClientError(error) && error.data?.reason),
  }
}

const soon = { timeout: 10_000, interval: 20 }

it('receive each event', async () => {
  const { client, types } = subscribe({ url: node.apiUrl, token: team.ownerKey })
  await expect.poll(types, soon).toEqual(['connected'])
  await client.projects.put.mutate({ project: unique('site') })
  await expect.poll(types, soon).toEqual(['connected', 'project.created'])
})

it('fail with the reason of the refusal, and of the end', { tags: 'long' }, async () => {
  const unknown = subscribe({ url: node.apiUrl, token: 'nothing' })
  await expect.poll(unknown.reasons, soon).toEqual(['unauthorized'])
  const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'follows' })
  const { types, reasons } = subscribe({ url: node.apiUrl, token: key.token })
  await expect.poll(types, soon).toEqual(['connected'])
  await team.owner('DELETE', `/v1/apikeys/${key.id}`)
  await expect.poll(reasons, soon).toEqual(['unauthorized'])
})

it('need no JWT where mutations do', async () => {
  const enforcing = await enforcingNode()
  const own = await newTeam(enforcing, { personal: true })
  const { cookie } = await newSession(enforcing, own.ownerId)
  const { client, types } = subscribe({ url: enforcing.apiUrl, cookie })
  await expect.poll(types, soon).toEqual(['connected'])
  await client.projects.put.mutate({ project: unique('site') })
  await expect.poll(types, soon).toEqual(['connected', 'project.created'])
})

it.runIf(process.env.TEST_ON)(
  'go on at the same address when the node was restarted',
  { tags: 'long' },
  async () => {
    const first = await startTestNode()
    const port = new URL(first.apiUrl).port
    const own = await newTeam(first)
    const { types } = subscribe({ url: first.apiUrl, token: own.ownerKey })
    await expect.poll(types, soon).toEqual(['connected'])
    await first.stop()
    // While no node listens.
    const meanwhile = createClient({ url: node.apiUrl, token: own.ownerKey })
    await meanwhile.projects.put.mutate({ project: unique('site') })
    const second = await startTestNode({ SVC_PORT: port })
    onTestFinished(() => second.stop())
    await expect.poll(types, soon).toEqual(['connected', 'connected', 'project.created'])
  },
)
