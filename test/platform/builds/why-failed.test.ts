/** A build that fails says why: in its record, its event and its log, with the same lines. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { events } from '../../../src/stores/db/schema/events.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { testTimeout } from './build.ts'
import { deployBuild, linesOf, startBuildNodes, whenEnded } from './build-node.ts'

vi.setConfig({ testTimeout })

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes({ SVC_BUILD_SANDBOX: 'none', SVC_BUILD_TIMEOUT_S: '5' })
})
afterAll(() => nodes.stop())

beforeEach(async () => {
  team = await newTeam(nodes.node)
})

async function failureOf(command: string, fields: Record<string, unknown> = {}) {
  const { id } = await deployBuild(team, command, fields)
  const { state, error } = await whenEnded(team, id)
  expect(state).toBe('error')
  return { id, error }
}

const warn = 'echo npm warn deprecated inflight@1.0.6 >&2'
const fails = `${warn}; echo 'src/App.tsx(3,7): error TS2304: no'; exit 2`

describe('the lines that say why', () => {
  it('are in its record, in lists and in its event', async () => {
    const { id, error } = await failureOf(fails)
    const excerpt = ['src/App.tsx(3,7): error TS2304: no']
    expect(error).toEqual({ reason: 'build_failed', message: expect.stringContaining('code 2'), excerpt })
    const listed = (await team.owner('GET', '/v1/deployments?state=error')).body.data
    expect(listed).toMatchObject([{ id, error }])
    const { db } = nodes.node.installation.store
    const rows = await db.select().from(events).where(eq(events.deploymentId, id))
    expect(rows.map(({ type, data }) => [type, data])).toEqual([
      ['deployment.created', { deployment: expect.objectContaining({ error: null }) }],
      ['deployment.error', { deployment: expect.objectContaining({ error }) }],
    ])
  })

  it('are errors in its log, where warnings are none', async () => {
    const { id, error } = await failureOf(fails)
    const found = await team.owner('GET', `/v1/logs?deployment=${id}&level=error`)
    expect(found.body.data.map(({ message }: { message: string }) => message)).toEqual([
      error.message,
      'src/App.tsx(3,7): error TS2304: no',
    ])
    const lines = await linesOf(nodes.node, id)
    expect(lines.find(({ text }) => text.startsWith('npm warn'))?.level).toBe('warn')
  })

  it('are those of the command that failed', async () => {
    const { error } = await failureOf('echo error: built; exit 1', {
      build: { install_command: 'echo error: installed >&2' },
    })
    expect(error.excerpt).toEqual(['error: built'])
    const install_command = 'echo error: installed >&2; exit 1'
    const installing = await failureOf('echo error: built', { build: { install_command } })
    expect(installing.error.excerpt).toEqual(['error: installed'])
  })

  it('have no values of variables', async () => {
    knowSecret('an env value', 'very-secret-token')
    await team.owner('PUT', '/v1/projects/web', { env: [{ key: 'TOKEN', value: 'very-secret-token' }] })
    const { id, error } = await failureOf(`echo "Error: $TOKEN was refused"; exit 1`)
    expect(error.excerpt).toEqual(['Error: [redacted] was refused'])
    const read = await team.owner('GET', `/v1/deployments/${id}`)
    expect(JSON.stringify(read.body)).not.toContain('very-secret-token')
  })

  it('are at most 10 of at most 500 characters, of however many', async () => {
    const long = "$(head -c 2000 /dev/zero | tr '\\0' x)"
    const { error } = await failureOf(`for i in $(seq 300); do echo "$i: Error: ${long}"; done; exit 1`)
    expect(error.excerpt).toHaveLength(10)
    for (const text of error.excerpt) expect(text).toHaveLength(500)
    expect(error.excerpt[0]).toMatch(/^1: Error: /)
  })

  it('are the last ones where a command is ended for its time', async () => {
    const { error } = await failureOf('echo Waiting for the CMS; sleep 60')
    expect(error).toMatchObject({ reason: 'build_timeout', excerpt: ['Waiting for the CMS'] })
  })

  it('are its errors where a command ends well and leaves no output', async () => {
    const { error } = await failureOf('echo Reading; echo error: no posts; true')
    expect(error.message).toContain('created no directory "dist"')
    expect(error.excerpt).toEqual(['error: no posts'])
  })

  it.each([
    ['a command prints nothing', 'exit 1'],
    ['a command prints warnings alone', `${warn}; exit 1`],
    ['a command ends well, prints no error and leaves no output', 'echo Reading'],
  ])('are left out where %s', async (_, command) => {
    expect((await failureOf(command)).error).not.toHaveProperty('excerpt')
  })
})
