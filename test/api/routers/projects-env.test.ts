import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/stores/db/database.ts'
import { branchEnv } from '../../../src/stores/db/schema/branch-env.ts'
import { projectEnv } from '../../../src/stores/db/schema/projects.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

type Change = { key: string; value: string | null; target?: string[]; branch?: string }

async function newProject() {
  const team = await newTeam(node)
  const { body } = await team.owner('PUT', '/v1/projects/web')
  const put = (env: Change[] | null) => team.owner('PUT', '/v1/projects/web', { env })
  return { team, id: body.id as string, put }
}

/** The variables of a response, without their times. */
function variablesOf({ body }: { body: { env: Variable[] } }) {
  return body.env.map(({ key, target, branch }) => [key, ...target, ...(branch === null ? [] : [branch])])
}

type Variable = { key: string; target: string[]; branch: string | null }

describe('env of a project', () => {
  it('is set for both targets unless some are named, and returned by key without a value', async () => {
    const { put } = await newProject()
    const answer = await put([
      { key: 'B', value: '2' },
      { key: 'A', value: '1', target: ['production'] },
      { key: '_c3', value: '', target: ['preview', 'production'] },
    ])
    expect(variablesOf(answer)).toEqual([
      ['A', 'production'],
      ['B', 'production', 'preview'],
      ['_c3', 'production', 'preview'],
    ])
    expect(Object.keys(answer.body.env[0]).toSorted()).toEqual(['branch', 'key', 'target', 'updated_ms'])
  })

  it('keeps variables that a change omits', async () => {
    const { team, put } = await newProject()
    await put([{ key: 'A', value: '1' }])
    expect(variablesOf(await put([{ key: 'B', value: '2' }]))).toEqual([
      ['A', 'production', 'preview'],
      ['B', 'production', 'preview'],
    ])
    expect(variablesOf(await put([]))).toHaveLength(2)
    expect(variablesOf(await team.owner('PUT', '/v1/projects/web', { spa: true }))).toHaveLength(2)
  })

  it('removes with a null value, from the named targets only', async () => {
    const { put } = await newProject()
    await put([
      { key: 'A', value: '1' },
      { key: 'B', value: '2' },
    ])
    expect(variablesOf(await put([{ key: 'A', value: null, target: ['preview'] }]))).toEqual([
      ['A', 'production'],
      ['B', 'production', 'preview'],
    ])
    expect(
      variablesOf(
        await put([
          { key: 'A', value: null },
          { key: 'nothing', value: null },
        ]),
      ),
    ).toEqual([['B', 'production', 'preview']])
  })

  it('removes all with null', async () => {
    const { id, put } = await newProject()
    await put([{ key: 'A', value: '1' }])
    expect(variablesOf(await put(null))).toEqual([])
    expect(await db.select().from(projectEnv).where(eq(projectEnv.projectId, id))).toEqual([])
  })

  it('may differ between the targets, in one request', async () => {
    const { put } = await newProject()
    const answer = await put([
      { key: 'A', value: 'live', target: ['production'] },
      { key: 'A', value: 'test', target: ['preview'] },
    ])
    const apart = [
      ['A', 'production'],
      ['A', 'preview'],
    ]
    expect(variablesOf(answer)).toEqual(apart)
    const one = await put([{ key: 'A', value: 'live', target: ['preview'] }])
    expect(variablesOf(one)).toEqual([['A', 'production', 'preview']])
    expect(variablesOf(await put([{ key: 'A', value: 'test', target: ['production'] }]))).toEqual(apart)
  })

  it('is apart by target where a node of an earlier version set a value', async () => {
    const { id, put } = await newProject()
    await put([{ key: 'A', value: '1' }])
    await db
      .update(projectEnv)
      .set({ updatedMs: 1 })
      .where(and(eq(projectEnv.projectId, id), eq(projectEnv.target, 'preview')))
    expect(variablesOf(await put([]))).toEqual([
      ['A', 'production'],
      ['A', 'preview'],
    ])
  })

  it('may have another value for previews of one branch, which goes and stays by itself', async () => {
    const { id, put } = await newProject()
    const answer = await put([
      { key: 'A', value: '1' },
      { key: 'A', value: '2', branch: 'next' },
      { key: 'A', value: '2', branch: 'a/b', target: ['preview'] },
      { key: 'B', value: '3', branch: 'next' },
    ])
    const shared = ['A', 'production', 'preview']
    expect(variablesOf(answer)).toEqual([
      shared,
      ['A', 'preview', 'a/b'],
      ['A', 'preview', 'next'],
      ['B', 'preview', 'next'],
    ])
    const [row] = await db.select().from(branchEnv).where(eq(branchEnv.projectId, id))
    expect((await put([{ key: 'A', value: '2', branch: 'next' }])).body.updated_ms).toBe(
      answer.body.updated_ms,
    )
    expect(await db.select().from(branchEnv).where(eq(branchEnv.projectId, id))).toContainEqual(row)
    expect(variablesOf(await put([{ key: 'A', value: null, branch: 'next' }]))).toEqual([
      shared,
      ['A', 'preview', 'a/b'],
      ['B', 'preview', 'next'],
    ])
    expect(variablesOf(await put([{ key: 'A', value: null }]))).toEqual([
      ['A', 'preview', 'a/b'],
      ['B', 'preview', 'next'],
    ])
    expect(variablesOf(await put(null))).toEqual([])
  })

  it('has at most 500 values of branches', async () => {
    const { put } = await newProject()
    for (const part of [0, 1, 2]) {
      const many = Array.from({ length: 200 }, (_, index) => ({
        key: 'A',
        value: 'x',
        branch: `b${part}-${index}`,
      }))
      const { status, body } = await put(many.slice(0, part === 2 ? 100 : 200))
      expect([status, body.env.length]).toEqual([200, Math.min(500, (part + 1) * 200)])
    }
    const { status, body } = await put([{ key: 'A', value: 'x', branch: 'one-more' }])
    expect([status, body.issues]).toMatchObject([400, [{ path: 'env' }]])
  })

  it('gets a new updated_ms only for changed variables', async () => {
    const { team, put } = await newProject()
    await put([
      { key: 'A', value: '1' },
      { key: 'B', value: '2' },
    ])
    await db
      .update(projectEnv)
      .set({ updatedMs: 1 })
      .where(eq(projectEnv.projectId, (await team.owner('GET', '/v1/projects/web')).body.id))
    const { body } = await put([{ key: 'B', value: '3' }])
    const updatedMs = (key: string) => body.env.find((each: { key: string }) => each.key === key).updated_ms
    expect(updatedMs('A')).toBe(1)
    expect(updatedMs('B')).toBe(body.updated_ms)
  })

  it('has its values in no response, and not in plain text in the database', async () => {
    const { team, id, put } = await newProject()
    const secret = 'correct-horse-battery-staple'
    const answers = [
      await put([{ key: 'SECRET', value: secret }]),
      await team.owner('GET', '/v1/projects/web'),
      await team.owner('GET', '/v1/projects'),
      await team.owner('POST', '/v1/deployments', { project: 'web', files: [{ path: 'a', content: 'a' }] }),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(secret)
    }
    const dump = await db
      .select({ row: sql<string>`row_to_json(project_env)::text` })
      .from(projectEnv)
      .where(eq(projectEnv.projectId, id))
    expect(dump).toHaveLength(2)
    for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
      expect(JSON.stringify(dump)).not.toContain(Buffer.from(secret).toString(encoding).slice(0, 32))
    }
    expect(node.logged.join('\n')).not.toContain(secret)
  })

  it('is sealed with a new nonce each time: one value never gives the same text', async () => {
    const { id, put } = await newProject()
    await put([
      { key: 'A', value: 'same' },
      { key: 'B', value: 'same' },
    ])
    const sealed = async () =>
      (await db.select().from(projectEnv).where(eq(projectEnv.projectId, id))).map((row) => row.sealed)
    const first = await sealed()
    await put([
      { key: 'A', value: 'other' },
      { key: 'B', value: 'other' },
    ])
    await put([
      { key: 'A', value: 'same' },
      { key: 'B', value: 'same' },
    ])
    expect(new Set([...first, ...(await sealed())]).size).toBe(8)
  })

  it('has at most 100 variables, whatever their targets', async () => {
    const { put } = await newProject()
    const many = Array.from({ length: 100 }, (_, i) => ({ key: `K${i}`, value: 'v' }))
    expect((await put(many)).status).toBe(200)
    const refused = await put([{ key: 'ONE_MORE', value: 'v', target: ['preview'] }])
    expect(refused.status).toBe(400)
    expect(refused.body.issues).toMatchObject([{ path: 'env' }])
    expect(variablesOf(await put([{ key: 'K1', value: 'new' }]))).toHaveLength(100)
    expect(
      variablesOf(
        await put([
          { key: 'K1', value: null },
          { key: 'ONE_MORE', value: 'v' },
        ]),
      ),
    ).toHaveLength(100)
  })

  it.each([
    ['a key that begins with a digit', [{ key: '1A', value: 'x' }], 'env.0.key'],
    ['a key with a dash', [{ key: 'A-B', value: 'x' }], 'env.0.key'],
    ['a key with a line break', [{ key: 'A\n', value: 'x' }], 'env.0.key'],
    ['an empty key', [{ key: '', value: 'x' }], 'env.0.key'],
    ['a key of 257 characters', [{ key: 'A'.repeat(257), value: 'x' }], 'env.0.key'],
    ['no value', [{ key: 'A' }], 'env.0.value'],
    ['a value that is not text', [{ key: 'A', value: 1 }], 'env.0.value'],
    ['a value with a NUL', [{ key: 'A', value: 'a\0' }], 'env.0.value'],
    ['a value of 65,537 characters', [{ key: 'A', value: 'x'.repeat(65_537) }], 'env.0.value'],
    ['another target', [{ key: 'A', value: 'x', target: ['staging'] }], 'env.0.target.0'],
    ['no target', [{ key: 'A', value: 'x', target: [] }], 'env.0.target'],
    ['a repeated target', [{ key: 'A', value: 'x', target: ['preview', 'preview'] }], 'env.0.key'],
    [
      'a repeated variable',
      [
        { key: 'A', value: 'x' },
        { key: 'A', value: 'y', target: ['preview'] },
      ],
      'env.1.key',
    ],
    [
      'a variable set and removed',
      [
        { key: 'A', value: 'x' },
        { key: 'A', value: null },
      ],
      'env.1.key',
    ],
    ['an unknown field', [{ key: 'A', value: 'x', secret: true }], 'env.0.secret'],
    ['an empty branch', [{ key: 'A', value: 'x', branch: '' }], 'env.0.branch'],
    ['a branch of 251 bytes', [{ key: 'A', value: 'x', branch: 'ü'.repeat(126) }], 'env.0.branch'],
    [
      'a branch in production',
      [{ key: 'A', value: 'x', branch: 'next', target: ['preview', 'production'] }],
      'env.0.target',
    ],
    [
      'a variable repeated for a branch',
      [
        { key: 'A', value: 'x', branch: 'next' },
        { key: 'A', value: 'y', branch: 'next', target: ['preview'] },
      ],
      'env.1.key',
    ],
  ])('400 that names the place, and nothing is set: %s', async (_, env, path) => {
    const { team } = await newProject()
    const { status, body } = await team.owner('PUT', '/v1/projects/web', {
      env: [{ key: 'B', value: '1' }, ...env],
    })
    expect(status).toBe(400)
    const shifted = path.replace(/\d+/, (index) => String(Number(index) + 1))
    expect(body.issues.map((issue: { path: string }) => issue.path)).toEqual([shifted])
    expect(variablesOf(await team.owner('GET', '/v1/projects/web'))).toEqual([])
  })
})
