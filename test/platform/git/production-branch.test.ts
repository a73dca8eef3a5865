/** The production branch follows the forge while people change the connection. */
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { followForge } from '../../../src/platform/git/production-branch.ts'
import { changeRepository } from '../../../src/platform/projects/repository.ts'
import { projects } from '../../../src/stores/db/schema/projects.ts'
import type { Transaction } from '../../../src/stores/db/transaction.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

// The embedded database has one connection, and so one transaction at a time.
describe.runIf(process.env.TEST_ON)('a connection that changes while its forge names another branch', () => {
  it('waits for nothing that waits for it: neither is done a second time', async () => {
    const { store } = node.installation
    const team = await newTeam(node)
    const git = { url: 'https://github.com/team/site', close_days: 1 }
    const { body: project } = await team.owner('PUT', '/v1/projects/web', { git })
    const attempts = { connection: 0, forge: 0 }

    const follow = () =>
      store.transact(async (tx) => {
        attempts.forge += 1
        await followForge(tx, project.id, { branch: 'trunk', nowMs: 2 })
      })
    let following: Promise<void> | undefined
    await store.transact(async (tx) => {
      attempts.connection += 1
      await tx.select().from(projects).where(eq(projects.id, project.id)).for('no key update')
      following ??= follow()
      await eventually(async () => expect(await waitingFor(tx)).toBe(1))
      const change = { tx, envKey: Buffer.alloc(32), nowMs: 1, userId: team.ownerId }
      await changeRepository(change, project.id, { close_days: 2 })
    })
    await following

    expect(attempts).toEqual({ connection: 1, forge: 1 })
    const { body } = await team.owner('GET', '/v1/projects/web')
    expect(body.git).toMatchObject({ close_days: 2, production_branch: 'trunk' })
  })
})

/** How many connections wait for what this transaction has locked. */
async function waitingFor(tx: Transaction): Promise<number> {
  const [found] = await tx
    .select({ waiting: sql<number>`count(*)::int` })
    .from(sql`pg_stat_activity`)
    .where(sql`pg_backend_pid() = any(pg_blocking_pids(pid))`)
  return found?.waiting ?? 0
}
