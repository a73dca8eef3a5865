/** `svc admin check` and its exit codes, beside a node that runs and without one. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { storage } from '../../src/stores/db/schema/storage.ts'
import { deploy } from '../platform/deployments/steps.ts'
import { startTestNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome, type Svc } from './svc.ts'

let svc: Svc
let node: TestNode
let team: TestTeam

/** The settings of the node. */
const env = {
  SVC_DATA_DIR: join(inject('directory'), randomUUID().slice(0, 8)),
  SVC_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
}

const start = () => startTestNode({ ...env, DATABASE_URL: '', SVC_ROLES: 'api' })
const check = (...args: string[]) => svc(['admin', 'check', ...args], { env })

beforeAll(async () => {
  svc = (await newHome()).svc
  node = await start()
  team = await newTeam(node)
  await deploy(team)
  await team.owner('GET', '/v1/overview')
})

describe.each([
  ['beside a node', async () => {}],
  ['without a node', () => node.stop()],
])('%s', (_, prepare) => {
  beforeAll(prepare)

  it('says that nothing is wrong, with exit code 0', async () => {
    expect(await check()).toEqual({ code: 0, stdout: 'Nothing is wrong.\n', stderr: '' })
    const { code, stdout } = await check('--deep', '--json')
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, problems: {}, found: 0, mended: 0 })
  })
})

describe('of a problem', () => {
  beforeAll(async () => {
    node = await start()
    const { db } = node.installation.store
    await db.update(storage).set({ usedBytes: sql`used_bytes + 5` }).where(eq(storage.teamId, team.id))
  })

  it('says what it is, and that it is left, with exit code 1', async () => {
    const { code, stdout, stderr } = await check()
    expect(code).toBe(1)
    expect(stdout).toContain(`found  used_bytes  The recorded storage of team ${team.id} is 5 bytes more`)
    expect(stdout).toContain('Found 1 problem. --mend mends')
    expect(stderr).toBe('svc: 1 problem is left.\n')
    const json = await check('--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({
      problems: { used_bytes: { count: 1, mended: 0, first: [{ subject: team.id, mended: false }] } },
      found: 1,
      mended: 0,
    })
  })

  it('says that it has mended it, with exit code 0', async () => {
    onTestFinished(() => node.stop())
    const { code, stdout } = await check('--mend')
    expect(code).toBe(0)
    expect(stdout).toContain('mended  used_bytes')
    expect(stdout).toContain('Mended 1 of 1 problems.')
    expect((await check()).stdout).toBe('Nothing is wrong.\n')
  })
})
