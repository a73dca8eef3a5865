/** How much of 20,000 queued builds PostgreSQL reads to claim the next ones, and for a build's position. */
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wholeTeam } from '../../../../src/platform/callers/scope.ts'
import { pageQuery } from '../../../../src/platform/deployments/list-deployments.ts'
import { waitingQuery } from '../../../../src/platform/deployments/queued/claim-build.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { explain, rowsRead } from '../../../support/explain.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'
import { vacuumAnalyze } from '../../../support/vacuum.ts'
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
      insert into deployments (id, team_id, project_id, host, target, state, build, meta, source_manifest_id,
        files, bytes, created_by, created_ms)
      select 'dpl_' || replace(gen_random_uuid()::text, '-', ''), team_id, project_id, 'none', target,
        'queued', build, meta, manifest_id, files, bytes, created_by, i
      from deployments, generate_series(1, ${each}::int) as i where id = ${id}`
  }
  await vacuumAnalyze(client, 'deployments')
}, 120_000)

afterAll(async () => {
  await client?.end()
  await node?.stop()
})

describe.runIf(process.env.TEST_ON).each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  it('reads some of each team', async () => {
    const plan = await explain(client, mode, waitingQuery(node.installation.store.db, 2))
    expect(plan['Actual Rows']).toBe(2)
    // Each team's first, 18 of its builds, and again the ones that are distinguished by position.
    expect(rowsRead('deployments', plan)).toBeLessThan(teams * 50)
  })

  it('reads one of each team for the position of a team that builds one', async () => {
    const team = await newTeam(node)
    const { id } = await deploy(team)
    await client`update deployments set state = 'queued', source_manifest_id = manifest_id where id = ${id}`
    const plan = await explain(
      client,
      mode,
      pageQuery(node.installation.store.db, wholeTeam(team.id), { limit: 100 }),
    )
    expect(plan['Actual Rows']).toBe(1)
    // Each team's first, one build of it, and some of the team's own.
    expect(rowsRead('deployments', plan)).toBeLessThan(teams * 10)
    const { body } = await team.owner('GET', `/v1/deployments/${id}`)
    expect(body.queue_position).toBeLessThanOrEqual(teams + 1)
    await client`update deployments set state = 'canceled' where id = ${id}`
  })
})
