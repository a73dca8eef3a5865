/** `svc teams`. */
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { insertKey } from '../../src/platform/callers/keys.ts'
import { projectRepositories } from '../../src/stores/db/schema/project-repositories.ts'
import { members } from '../../src/stores/db/schema/teams.ts'
import { clientOf, newEmail, newUser } from '../platform/teams/people.ts'
import { knowSecret } from '../support/kept-logs.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { joinNewTeam } from '../support/session.ts'
import { newTeam } from '../support/team.ts'
import { svcWith } from './svc.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

it('lists invitations, accepts one and declines another', async () => {
  const email = newEmail()
  const userId = await newUser(node, email)
  const personal = await joinNewTeam(node, userId, { personal: true })
  const client = await clientOf(node, personal, userId)
  const { body } = await client('POST', '/v1/apikeys', { name: 'cli', role: 'owner' })
  const svc = await svcWith(node, body.token)
  const [one, two] = [await newTeam(node), await newTeam(node)]
  for (const team of [one, two]) {
    const members = [
      { email: null, role: 'owner' },
      { email, role: 'member' },
    ]
    await team.owner('PUT', `/v1/teams/${team.slug}`, { members })
  }
  const { stdout } = await svc(['teams', 'invitations'])
  expect(stdout.replaceAll(/\d+s/g, 'now')).toBe(
    `${two.slug}\t${two.slug}\tmember\tnow\n${one.slug}\t${one.slug}\tmember\tnow\n`,
  )
  expect(await svc(['teams', 'accept', one.slug])).toEqual({
    code: 0,
    stdout: `You are in team ${one.slug} as member.\n`,
    stderr: '',
  })
  const declined = await svc(['teams', 'decline', two.slug, '--json'])
  expect(JSON.parse(declined.stdout)).toEqual({ team: two.slug, declined: true })
  expect(await svc(['teams', 'invitations'])).toMatchObject({ code: 0, stdout: '' })
  expect(await svc(['teams', 'accept', two.slug])).toMatchObject({
    code: 4,
    stderr: `svc: There is no team ${two.slug} that invites you.\n`,
  })
  expect((await svc(['teams'])).stdout).toBe(`${personal.slug}\t${personal.slug}\towner\tfree\n`)
})

it("explains which key it needs when it has a team's key", async () => {
  const team = await newTeam(node)
  const outcome = await (await svcWith(node, team.ownerKey))(['teams', 'accept', team.slug])
  expect(outcome).toMatchObject({ code: 3, stdout: '' })
  expect(outcome.stderr).toContain('an owner key of your personal team')
})

it('creates a team whose key is alone on standard output, and changes its members', async () => {
  const team = await newTeam(node)
  const slug = unique('made')
  const made = await (await svcWith(node, team.ownerKey))(['teams', 'add', slug, '--name', 'Acme'])
  expect(made).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^svc_\w+\n$/),
    stderr: `Created team ${slug}. Its owner key is printed only once: store it safely.\n`,
  })
  const svc = await svcWith(node, made.stdout.trim())
  expect((await svc(['teams', 'show'])).stdout).toMatch(/name\tAcme\n[\s\S]*members\t1\n/)
  const email = newEmail()
  expect(await svc(['teams', 'members', '--add', email.toUpperCase()])).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(`^-\\towner\\towner\\t\\d+s ago\\tall\\n${email}\\t\\tmember\\tinvited\\tall\\n$`),
    ),
    stderr: `Invited ${email}.\n`,
  })
  const { stdout } = await svc(['teams', 'members', slug, '--add', email, '--role', 'owner', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([{ email: null }, { email, role: 'owner' }])
  expect(await svc(['teams', 'members', '--remove', email])).toMatchObject({ code: 0 })
  expect(await svc(['teams', 'members', '--remove', email])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `svc: ${email} is not in team ${slug}.\n`,
  })
})

it('lists what ends with a member before it removes them, and asks where anything does', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const email = newEmail()
  const userId = await newUser(node, email)
  const { db } = node.installation.store
  await db.insert(members).values({ teamId: team.id, userId, role: 'member', joinedMs: Date.now() })
  for (const name of ['laptop', 'ci'])
    await insertKey(db, { teamId: team.id, userId, name, role: 'member', createdMs: Date.now() })
  const refused = await svc(['teams', 'members', '--remove', email])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(
    new RegExp(`^With ${email} these end:\n  2 API keys: (laptop, ci|ci, laptop)\nsvc: No terminal`),
  )
  expect((await svc(['teams', 'members'])).stdout).toContain(email)
  expect(await svc(['teams', 'members', '--remove', email, '--yes'])).toMatchObject({
    code: 0,
    stderr: `Removed ${email}.\n`,
    stdout: expect.not.stringContaining(email),
  })
})

it('says of a connection to a repository that it goes on, and asks nothing for that', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const email = newEmail()
  const userId = await newUser(node, email)
  const { db } = node.installation.store
  await db.insert(members).values({ teamId: team.id, userId, role: 'member', joinedMs: Date.now() })
  const { body: project } = await team.owner('PUT', '/v1/projects/web', {
    git: { url: 'https://github.com/acme/web' },
  })
  await db
    .update(projectRepositories)
    .set({ connectedBy: userId })
    .where(eq(projectRepositories.projectId, project.id))
  expect((await svc(['projects', 'show', 'web'])).stdout).toContain('is no owner any more: it goes on')
  expect(await svc(['teams', 'members', '--remove', email])).toMatchObject({
    code: 0,
    stderr: `These go on in the name of ${email}:\n  1 connection to a repository: web\nRemoved ${email}.\n`,
  })
  expect((await svc(['projects', 'show', 'web'])).stdout).toContain('has left the team: it goes on')
})

it('limits members to projects by their names, keeps the limit, and lifts it', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  for (const name of ['web', 'docs', 'blog']) await team.owner('PUT', `/v1/projects/${name}`)
  const email = newEmail()
  const limitOf = async (...options: string[]) => {
    const { code, stdout } = await svc(['teams', 'members', ...options])
    expect(code).toBe(0)
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
    return rows.find(([of]) => of === email)?.at(-1)
  }
  expect(await limitOf('--add', email, '--projects', 'web,docs')).toBe('docs,web')
  expect(await limitOf('--add', email)).toBe('docs,web')
  expect(await limitOf('--add', newEmail(), '--no-projects')).toBe('docs,web')
  const { stdout } = await svc(['teams', 'members', '--json'])
  expect(
    JSON.parse(stdout)
      .map((each: { projects: [] | null }) => each.projects?.length)
      .toSorted(),
  ).toEqual([0, 2, undefined])
  expect(await limitOf('--add', email, '--all-projects')).toBe('all')
  for (const [options, message] of [
    [['--projects', 'web'], 'A limit needs --add'],
    [['--add', email, '--projects', ','], '--no-projects'],
    [['--add', email, '--projects', 'web', '--role', 'owner'], 'must be null or left out for an owner'],
    [['--add', email, '--projects', 'nobodys'], 'the team has no project nobodys'],
  ] as const) {
    const refused = await svc(['teams', 'members', ...options])
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
  }
})

it('prints the link of an invitation alone on standard output', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const email = newEmail()
  const made = await svc(['teams', 'members', '--add', email, '--link'])
  expect(made).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^http:\S+\/auth\/join\?token=\S{32}\n$/),
    stderr: expect.stringContaining(`This link makes an account for ${email}, in the team.`),
  })
  const { stdout } = await svc(['teams', 'members', '--add', email, '--link', '--json'])
  const { url } = JSON.parse(stdout)
  for (const text of [made.stdout, url]) knowSecret("a link's token", text.trim().split('token=')[1])
  const statuses = await Promise.all(
    [made.stdout.trim(), url].map(async (each) => (await fetch(each)).status),
  )
  expect(statuses).toEqual([404, 200])
  expect(await svc(['teams', 'members', '--link'])).toMatchObject({ code: 2, stdout: '' })
})
