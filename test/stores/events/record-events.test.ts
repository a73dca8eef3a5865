/** Events are recorded in the transaction of their change, and so are their deliveries. */
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { newSecret } from '../../../src/platform/webhooks/secret.ts'
import { seal } from '../../../src/stores/data-dir/seal.ts'
import type { Change } from '../../../src/stores/db/changes.ts'
import { events } from '../../../src/stores/db/schema/events.ts'
import { deliveries, webhooks } from '../../../src/stores/db/schema/webhooks.ts'
import { type NewEvent, recordEvents } from '../../../src/stores/events/record-events.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const projectEvent = (team: { id: string }, projectId: string): NewEvent => ({
  teamId: team.id,
  type: 'project.created',
  projectId,
  data: { project: { id: projectId, name: 'web "quoted" \u00e9' } },
})

async function record(happened: NewEvent[]): Promise<Change[]> {
  const announced: Change[] = []
  const origin = { userId: 'usr_1', keyId: 'key_1', address: '192.0.2.1', requestId: 'req_1' }
  const announce = (change: Change) => void announced.push(change)
  await node.installation.store.transact((tx) =>
    recordEvents(Object.assign(tx, { announce }), { origin, nowMs: 1_790_000_000_000 }, happened),
  )
  return announced
}

type Wanted = { events: string[]; projects?: string[]; enabled?: boolean }

async function webhook(team: { id: string }, wanted: Wanted): Promise<string> {
  const id = newId('webhook', Date.now())
  await node.installation.store.db.insert(webhooks).values({
    id,
    teamId: team.id,
    // No worker that runs by chance can connect there.
    url: 'https://192.0.2.1',
    events: wanted.events,
    projects: wanted.projects ?? null,
    sealedSecret: seal(node.installation.keys.webhooks, id, newSecret()),
    enabled: wanted.enabled ?? true,
    createdMs: 1,
  })
  return id
}

async function delivered(webhookId: string): Promise<string[]> {
  const rows = await node.installation.store.db
    .select({ type: events.type })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(eq(deliveries.webhookId, webhookId))
  return rows.map(({ type }) => type).sort()
}

describe('an event', () => {
  it('has who did it, from where, and with which request', async () => {
    const team = await newTeam(node)
    expect(await record([projectEvent(team, 'prj_1')])).toEqual([{ kind: 'event', id: team.id }])
    const rows = await node.installation.store.db.select().from(events).where(eq(events.teamId, team.id))
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        teamId: team.id,
        type: 'project.created',
        projectId: 'prj_1',
        deploymentId: null,
        actorId: 'usr_1',
        keyId: 'key_1',
        address: '192.0.2.1',
        requestId: 'req_1',
        data: { project: { id: 'prj_1', name: 'web "quoted" \u00e9' } },
        createdMs: 1_790_000_000_000,
      },
    ])
  })

  it('goes to its team’s enabled webhooks with a matching type and project', async () => {
    const team = await newTeam(node)
    const other = await newTeam(node)
    const all = await webhook(team, { events: ['project.created', 'key.created'] })
    const ofProject = await webhook(team, { events: ['project.created', 'key.created'], projects: ['prj_1'] })
    const ofAnother = await webhook(team, { events: ['project.created'], projects: ['prj_2'] })
    const otherType = await webhook(team, { events: ['project.deleted'] })
    const disabled = await webhook(team, { events: ['project.created'], enabled: false })
    const foreign = await webhook(other, { events: ['project.created'] })
    const key = { id: 'key_1', name: 'ci', prefix: 'svc_abc', role: 'owner' } as const
    const announced = await record([
      projectEvent(team, 'prj_1'),
      { teamId: team.id, type: 'key.created', data: { key } },
    ])
    expect(announced).toEqual([
      { kind: 'event', id: team.id },
      { kind: 'work', id: 'deliveries' },
    ])
    expect(await delivered(all)).toEqual(['key.created', 'project.created'])
    expect(await delivered(ofProject)).toEqual(['project.created'])
    for (const id of [ofAnother, otherType, disabled, foreign]) expect(await delivered(id)).toEqual([])
  })

  it('for one webhook goes to that one alone', async () => {
    const team = await newTeam(node)
    const first = await webhook(team, { events: ['project.created'] })
    const second = await webhook(team, { events: ['webhook.ping'] })
    const data = { webhook: { id: first, url: 'https://example.com' } }
    await record([{ teamId: team.id, type: 'webhook.ping', webhookId: first, data }])
    expect(await delivered(first)).toEqual(['webhook.ping'])
    expect(await delivered(second)).toEqual([])
  })

  it.runIf(process.env.TEST_ON)(
    'waits for a webhook that is being deleted, and is recorded without it',
    async () => {
      const { store } = node.installation
      const team = await newTeam(node)
      const id = await webhook(team, { events: ['project.created'] })
      let recorded: Promise<Change[]> | undefined
      await store.transact(async (tx) => {
        await tx.delete(webhooks).where(eq(webhooks.id, id))
        recorded = record([projectEvent(team, 'prj_1')])
        const waiting = sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%happened%'`
        // The two connections for transactions are taken.
        await expect.poll(() => store.lookUps.execute(waiting)).not.toHaveLength(0)
      })
      expect(await recorded).toEqual([{ kind: 'event', id: team.id }])
      expect(await delivered(id)).toEqual([])
      expect(await store.db.$count(events, eq(events.teamId, team.id))).toBe(1)
    },
  )

  it('is rolled back with its transaction', async () => {
    const team = await newTeam(node)
    const id = await webhook(team, { events: ['project.created'] })
    const failing = node.installation.store.transact(async (tx) => {
      const where = { origin: null, nowMs: 1 }
      await recordEvents(tx, where, [projectEvent(team, 'prj_1')])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await delivered(id)).toEqual([])
    const rows = await node.installation.store.db.select().from(events).where(eq(events.teamId, team.id))
    expect(rows).toEqual([])
  })
})
