/** Every mutation leaves a line in the audit trail that says who did what, or has a reason not to. */
import { readdirSync, readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { appRouter } from '../../../src/api/routers/index.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { createAdminHandlers } from '../../../src/operate/node/admin.ts'
import { teams } from '../../../src/stores/db/schema/teams.ts'
import { auditMessage } from '../../../src/stores/events/audit-message.ts'
import { startForgeNodes } from '../../platform/forges/steps.ts'
import { newInvited, submitJoin } from '../../platform/teams/invitation-links/joining.ts'
import { newSignedIn } from '../../platform/teams/people.ts'
import { dumpTables } from '../../support/dump.ts'
import { logOf } from '../../support/event-log.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { newPerson, signIn } from '../../support/person.ts'
import { newSession } from '../../support/session.ts'
import { cases, type Own, ofOperator, routes, type Steps, secrets, type Untold } from './audit-cases.ts'
import { callRpc } from './call-procedure.ts'
import { newOwn } from './new-own.ts'

vi.setConfig({ testTimeout: 60_000 })

let nodes: Awaited<ReturnType<typeof startForgeNodes>>

beforeAll(async () => {
  for (const each of Object.values(secrets)) knowSecret('a secret of the audit trail', each)
  nodes = await startForgeNodes({ SVC_ROLES: 'api,edge' })
  nodes.forge.switches = {
    api: ({ method }) => (method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { id: 1 } }),
  }
}, 60_000)

afterAll(() => nodes?.stop())

/** The text without what no two runs have in common. */
function comparable(text: string, { team, project, email }: Own): string {
  return text
    .replaceAll(project.name, 'web')
    .replaceAll(team.slug, 'acme')
    .replaceAll(email, 'ada@example.com')
    .replaceAll(/\b([a-z]+)_[0-9a-f]{32}\b/g, '$1_…')
    .replaceAll(/svc_[\w-]+…/g, 'svc_…')
}

/** The lines since there were `before`. */
async function linesSince(own: Own, before: number) {
  const rows = (await logOf(own.node, own.team)).slice(before)
  return rows.map((row) => ({ ...row, says: comparable(auditMessage(row.type, row.data), own) }))
}

const hasLines = (each: Steps | Untold | undefined): each is Steps => Array.isArray(each)

const mutations = definitionsOf(appRouter)
  .filter(({ type }) => type === 'mutation')
  .map(({ name }) => name)

it('every mutation is known', () => {
  expect(Object.keys(cases).toSorted()).toEqual(mutations.toSorted())
})

describe('the lines of', () => {
  it.each(Object.entries(cases).filter(([, each]) => hasLines(each)))('%s', async (name, steps) => {
    if (!hasLines(steps)) throw new Error('It has none.')
    const own = await newOwn(nodes)
    const { userId } = await newSignedIn(own.node, own.email)
    const session = await newSession(own.node, userId)
    for (const { input: inputOf, says, by = 'owner' } of steps) {
      const input = await inputOf(own)
      const before = (await logOf(own.node, own.team)).length
      const token = by === 'owner' ? own.team.ownerKey : session.token
      const { status, body } = await callRpc(own.node, token, name, { ...input })
      expect({ status, body }).toMatchObject({ status: 200 })
      const lines = await linesSince(own, before)
      expect(lines.map((line) => line.says)).toEqual(says)
      const actor = { owner: own.team.ownerId, person: userId, nobody: null }[by]
      for (const { actorId, address, requestId } of lines) {
        expect(actorId).toBe(actor)
        expect(address === null).toBe(by === 'nobody')
        expect(requestId === null).toBe(by === 'nobody')
      }
    }
  })

  it('an invitation link, by which somebody joins', async () => {
    const own = await newOwn(nodes)
    const { token } = await newInvited(own.node, { email: own.email, team: own.team })
    const before = (await logOf(own.node, own.team)).length
    expect((await submitJoin(own.node, token)).status).toBe(200)
    const [line, ...others] = await linesSince(own, before)
    expect(line).toMatchObject({ says: 'joined with ada@example.com as member', actorId: expect.any(String) })
    expect(others).toEqual([])
  })

  it('an invitation link of somebody who is signed in', async () => {
    const own = await newOwn(nodes)
    const person = await signIn(own.node, await newPerson(own.node, own.email))
    const { token } = await newInvited(own.node, { email: own.email, team: own.team })
    const before = (await logOf(own.node, own.team)).length
    const page = await person.browser.submit(`${own.node.apiUrl}/auth/join/accept`, { token })
    expect(page.status).toBe(200)
    expect((await linesSince(own, before)).map(({ says }) => says)).toEqual([
      'joined with ada@example.com as member',
    ])
  })

  it('hold no secret', async () => {
    const { events } = await dumpTables(nodes.node, Object.values(secrets))
    expect(events).toEqual([])
  })
})

it('every other way to change something is known', () => {
  const found = readdirSync('src/api/server', { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    if (!file.endsWith('.ts')) return []
    const text = readFileSync(`src/api/server/${file}`, 'utf8')
    const routed = text.matchAll(
      /\b(?:app|scope|pages)\s*\.(?:post|put|delete|patch|all|route)(?:<\w+>)?\(\s*([^\s,]+)/g,
    )
    return [...routed].map(([, path]) => `${file} ${path}`)
  })
  expect(found.toSorted()).toEqual(Object.keys(routes).toSorted())
})

describe('what the operator does', () => {
  const handlers = () => {
    const { installation, settings, apiUrl } = nodes.node
    const directory = settings.SVC_DATA_DIR
    return createAdminHandlers({ ...installation, directory, apiUrl, trash: { days: 1, maxBytes: 1 } })
  }

  it('is known', () => {
    expect(Object.keys(ofOperator).toSorted()).toEqual(Object.keys(handlers()).toSorted())
  })

  it("is in the trail of the team, as nobody's of it", async () => {
    const own = await newOwn(nodes)
    const before = (await logOf(own.node, own.team)).length
    await handlers().setPlan({ team: own.team.slug, plan: 'pro' })
    expect(await linesSince(own, before)).toMatchObject([{ ...ofOperator.setPlan, actorId: null }])
    const { team: slug } = await handlers().createOwnerKey({})
    const { db } = own.node.installation.store
    const [team] = await db.select().from(teams).where(eq(teams.slug, slug))
    const [made] = (await linesSince({ ...own, team: { ...own.team, id: team?.id ?? '' } }, 0)).slice(-1)
    expect(made).toMatchObject({ ...ofOperator.createOwnerKey, actorId: null })
  })
})
