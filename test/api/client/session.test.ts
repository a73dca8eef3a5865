/** The typed client of a signed-in user, and its subscriptions. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { getUntypedClient } from '@trpc/client'
import { initTRPC, TRPCError } from '@trpc/server'
import { createHTTPHandler } from '@trpc/server/adapters/standalone'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../../src/api/client/index.ts'
import { enforcingNode } from '../../support/enforcing-node.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { joinNewTeam, newSession } from '../../support/session.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

/** A signed-in user with an own team, who is a member of another team, too. */
async function newMember(of: TestNode) {
  const team = await newTeam(of)
  const { userId } = await addMember(of, team)
  await joinNewTeam(of, userId, { personal: true })
  const { cookie } = await newSession(of, userId)
  return { team, cookie }
}

describe("a session's cookie", () => {
  it('acts in the own team, or in the named one', async () => {
    const { team, cookie } = await newMember(node)
    const [atHome, inTeam] = [unique('home'), unique('team')]
    const home = createClient({ url: node.apiUrl, cookie })
    const member = createClient({ url: node.apiUrl, cookie, team: team.slug })
    await home.projects.put.mutate({ project: atHome })
    await member.projects.put.mutate({ project: inTeam })
    const namesOf = async (client: typeof home) =>
      (await client.projects.list.query({})).data.map(({ name }) => name)
    expect([await namesOf(home), await namesOf(member)]).toEqual([[atHome], [inTeam]])
  })

  it('is exchanged for a JWT if mutations need one', async () => {
    const enforcing = await enforcingNode()
    const { team, cookie } = await newMember(enforcing)
    const client = createClient({ url: enforcing.apiUrl, cookie, team: team.slug })
    const project = unique('web')
    expect(await client.projects.put.mutate({ project })).toMatchObject({ name: project })
  })
})

describe('a subscription', () => {
  /** A tRPC server with the subscription `ticks`, and the headers of its requests. */
  async function startServer() {
    const received: IncomingHttpHeaders[] = []
    const t = initTRPC.create({
      errorFormatter: ({ shape }) => ({ ...shape, data: { ...shape.data, reason: 'jwt_not_configured' } }),
    })
    const router = t.router({
      tokens: t.router({
        mint: t.procedure.mutation(() => {
          throw new TRPCError({ code: 'BAD_REQUEST' })
        }),
      }),
      ticks: t.procedure.subscription(async function* () {
        yield* [1, 2, 3]
      }),
    })
    const handle = createHTTPHandler({ router, basePath: '/trpc/' })
    const server = createServer((request, response) => {
      received.push(request.headers)
      handle(request, response)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = z.object({ port: z.number() }).parse(server.address())
    return { url: `http://127.0.0.1:${port}`, received }
  }

  it.each<[string, object, IncomingHttpHeaders]>([
    ['a key', { token: 'svc_key' }, { authorization: 'Bearer svc_key' }],
    ['a session and its team', { cookie: 'a=b', team: 'acme' }, { cookie: 'a=b', 'x-svc-team': 'acme' }],
  ])('has the caller of %s', async (_who, credential, headers) => {
    const { url, received } = await startServer()
    const client = getUntypedClient(createClient({ url, ...credential }))
    const ticks: unknown[] = []
    await new Promise<void>((resolve, reject) => {
      client.subscription('ticks', undefined, {
        onData: (tick) => ticks.push(tick),
        onError: reject,
        onComplete: resolve,
      })
    })
    expect(ticks).toEqual([1, 2, 3])
    expect(received.at(-1)).toMatchObject({ ...headers, accept: 'text/event-stream' })
  })
})
