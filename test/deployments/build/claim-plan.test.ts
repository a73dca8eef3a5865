/** How much of 20,000 builds that wait PostgreSQL reads for the next ones. */
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitingQuery } from '../../../src/deployments/queued/claim.ts'
import { startOwnNode } from '../../db/own-node.ts'
import { explain, rowsRead } from '../../support/explain.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { deploy } from '../steps.ts'

const teams = 4
const each = 5_000

let node: TestNode
let client: postgres.Sql

beforeAll(async () => {
  if (!process.env.TEST_ON) return
  node = await startOwnNode()
  client = postgres(node.settings.DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
  for (let number = 0; number < teams; number += 1) {
    const team = await newTeam(node)
    const { id } = await deploy(team)
    await client`
      insert into deployments (id, team_id, project_id, host, target, state, build, meta, source_manifest_id, files, bytes,
        created_by, created_ms)
      select 'dpl_' || replace(gen_random_uuid()::text, '-', ''), team_id, project_id, 'none', target, 'queued', build,
        meta, manifest_id, files, bytes, created_by, i
      from deployments, generate_series(1, ${each}::int) as i where id = ${id}`
  }
  await client`vacuum analyze deployments`
}, 120_000)

afterAll(async () => {
  await client?.end()
  await node?.stop()
})

describe.runIf(process.env.TEST_ON).each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  it('some of each team are read', async () => {
    const plan = await explain(client, mode, waitingQuery(node.installation.store.db, 2))
    expect(plan['Actual Rows']).toBe(2)
    // Where each team begins, 18 of it, and again those that are told apart by their places.
    expect(rowsRead('deployments', plan)).toBeLessThan(teams * 50)
  })
})
