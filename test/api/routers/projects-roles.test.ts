import { hash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/stores/db/database.ts'
import { projects } from '../../../src/stores/db/schema/projects.ts'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

const secret = 'a-secret-that-is-long-enough-0123456789'

describe('a member', () => {
  it('creates, configures and renames projects', async () => {
    const { api } = await addMember(node, await newTeam(node))
    const env = [{ key: 'A', value: '1' }]
    expect((await api('PUT', '/v1/projects/web', { env, spa: true })).status).toBe(200)
    expect((await api('PUT', '/v1/projects/web', { name: 'site' })).status).toBe(200)
  })

  it.each([
    ['protection', 'all'],
    ['protection', 'none'],
    ['protection', null],
    ['bypass_secret', secret],
    ['bypass_secret', null],
    ['auto_promote', false],
    ['auto_promote', true],
    ['preview_ttl_days', 1],
    ['preview_ttl_days', null],
  ])('403 role_required for setting %s to %s, and nothing changes', async (field, value) => {
    const team = await newTeam(node)
    const { api } = await addMember(node, team)
    const { body: before } = await team.owner('PUT', '/v1/projects/web')
    const { status, body } = await api('PUT', '/v1/projects/web', { spa: true, [field]: value })
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'role_required' })
    expect(body.message).toContain(field)
    expect((await team.owner('GET', '/v1/projects/web')).body).toEqual(before)
  })

  it('403 role_required for an owner field on creation, and nothing is created', async () => {
    const { api } = await addMember(node, await newTeam(node))
    expect((await api('PUT', '/v1/projects/web', { protection: 'all' })).status).toBe(403)
    expect((await api('GET', '/v1/projects/web')).status).toBe(404)
  })
})

describe('bypass_secret', () => {
  it('is write-only: bypass_set says whether there is one', async () => {
    const team = await newTeam(node)
    const answers = [
      await team.owner('PUT', '/v1/projects/web', { bypass_secret: secret }),
      await team.owner('GET', '/v1/projects/web'),
      await team.owner('GET', '/v1/projects'),
    ]
    expect(answers[0]?.body.bypass_set).toBe(true)
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(secret)
    const { body } = await team.owner('PUT', '/v1/projects/web', { bypass_secret: null })
    expect(body.bypass_set).toBe(false)
  })

  it('is stored as its SHA-256 only, and never logged', async () => {
    const team = await newTeam(node)
    const { body } = await team.owner('PUT', '/v1/projects/web', { bypass_secret: secret })
    const [row] = await db
      .select({ dump: sql<string>`row_to_json(projects)::text` })
      .from(projects)
      .where(eq(projects.id, body.id))
    expect(row?.dump).toContain(hash('sha256', secret))
    expect(row?.dump).not.toContain(secret)
    expect(node.logged.join('\n')).not.toContain(secret)
  })

  it.each([
    ['31 characters', 'x'.repeat(31)],
    ['1,001 characters', 'x'.repeat(1_001)],
    ['no text', 12],
  ])('400 that names it for %s', async (_, value) => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', '/v1/projects/web', { bypass_secret: value })
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'bypass_secret' }])
    expect(JSON.stringify(body)).not.toContain('xxx')
  })

  it('accepts 32 characters', async () => {
    const team = await newTeam(node)
    const { status } = await team.owner('PUT', '/v1/projects/web', { bypass_secret: 'x'.repeat(32) })
    expect(status).toBe(200)
  })
})

describe('protection', () => {
  it('closes and opens the hosts with the next request', async () => {
    const team = await newTeam(node)
    const production = await deploy(team, { target: 'production' })
    const set = (protection: string) => team.owner('PUT', '/v1/projects/web', { protection })
    const statuses = async () => {
      const urls = [production.aliases[0], production.url]
      return Promise.all(urls.map(async (url) => (await visit(url)).status))
    }
    expect(await statuses()).toEqual([200, 200])
    await set('preview')
    expect(await statuses()).toEqual([200, 401])
    await set('all')
    expect(await statuses()).toEqual([401, 401])
    await set('none')
    expect(await statuses()).toEqual([200, 200])
  })
})
