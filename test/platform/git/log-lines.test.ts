/** Lines of the log about git: what strangers chose is bounded and printable, and so is their number. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type GitLine, logGit, maxLinesPerHour } from '../../../src/platform/git/log-lines.ts'
import { logLines } from '../../../src/stores/db/schema/logs.ts'
import { teams } from '../../../src/stores/db/schema/teams.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode
let owner: { teamId: string; projectId: string }

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  const team = await newTeam(node)
  const { body } = await team.owner('PUT', '/v1/projects/web')
  owner = { teamId: team.id, projectId: body.id }
})

const db = () => node.installation.store.db
const log = (lines: GitLine[], nowMs = Date.now()) => logGit(db(), owner, lines, nowMs)
const written = () =>
  db().select().from(logLines).where(eq(logLines.teamId, owner.teamId)).orderBy(logLines.id)

const ofPush = (outcome: string): GitLine => ({ level: 'info', came: { event: 'push' }, outcome })

it('a line says what came, and what came of it', async () => {
  const commit = 'abcdef0123'.repeat(4)
  const came = { event: 'pull_request', branch: 'next', commit, pullRequest: 7, delivery: 'fdl_1' }
  await log([{ level: 'info', came, outcome: 'Deployed.', deploymentId: 'dpl_1' }, ofPush('Nothing.')])
  expect(await written()).toMatchObject([
    {
      ...owner,
      kind: 'git',
      level: 'info',
      deploymentId: 'dpl_1',
      message: 'pull_request, pull request 7, branch next, commit abcdef0: Deployed. It is dpl_1.',
      fields: { event: 'pull_request', branch: 'next', commit, pull_request: 7, delivery: 'fdl_1' },
    },
    { message: 'push: Nothing.', deploymentId: null, fields: { event: 'push' } },
  ])
})

it('names by strangers are one printable line of bounded length', async () => {
  const branch = `a\u001b]0;title\u0007\n\u202eb\0${'🙂'.repeat(200)}`
  await log([{ level: 'warn', came: { event: 'push', branch }, outcome: 'x'.repeat(5_000) }])
  const [line] = await written()
  expect(line?.message.slice(0, 20)).toBe('push, branch a \ufffdb␀🙂')
  expect(line?.message).not.toMatch(/[\p{Cc}\u202e]/u)
  expect(line?.message.length).toBeLessThanOrEqual(1_500)
  expect(String(line?.fields.branch).length).toBeLessThanOrEqual(250)
})

it('a team has so many lines an hour, the last of which says that others are left out', async () => {
  const nowMs = Date.now()
  const old = { ...owner, kind: 'git', level: 'info', message: 'old', fields: {} } as const
  await db()
    .insert(logLines)
    .values(Array.from({ length: maxLinesPerHour - 2 }, () => ({ ...old, timeMs: nowMs - 60_000 })))
  await log([ofPush('First.')], nowMs)
  await log([ofPush('Second.'), ofPush('Third.')], nowMs)
  await log([ofPush('Fourth.')], nowMs)
  expect((await written()).slice(maxLinesPerHour - 2).map(({ message }) => message)).toEqual([
    'push: First.',
    'push: Second. Too many lines about git within an hour: further ones are left out.',
  ])
  await log([ofPush('Later.')], nowMs + 3_600_000)
  expect((await written()).at(-1)?.message).toBe('push: Later.')
})

it('a team that is deleted gets no more', async () => {
  await db().update(teams).set({ deletedMs: Date.now() }).where(eq(teams.id, owner.teamId))
  await log([ofPush('Late.')])
  expect(await written()).toEqual([])
})
