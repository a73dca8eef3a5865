/** `svc keys`. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../support/team.ts'
import { type Svc, svcWith } from './svc.ts'

let node: TestNode
let team: TestTeam
let svc: Svc

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
})

it('creates a key whose token is alone on standard output, and revokes it', async () => {
  const { code, stdout, stderr } = await svc(['keys', 'add', 'from CI'])
  const token = stdout.trim()
  expect({ code, token }).toEqual({ code: 0, token: expect.stringMatching(/^svc_\w+$/) })
  const id = /key_[0-9a-f]+/.exec(stderr)?.[0] ?? ''
  expect(stderr).toBe(
    `A new member key of team ${team.slug}, ${id}. It is printed only once: store it safely.\n`,
  )
  const withIt = await svcWith(node, token)
  expect(JSON.parse((await withIt(['whoami', '--json'])).stdout)).toMatchObject({
    key: id,
    role: 'member',
    user_name: 'owner',
  })
  expect((await withIt(['whoami'])).stdout).toContain('\nuser\towner\nteam\t')
  expect(await svc(['keys', 'rm', id, '--yes'])).toEqual({ code: 0, stdout: `Revoked ${id}.\n`, stderr: '' })
  expect(await withIt(['keys'])).toEqual({
    code: 3,
    stdout: '',
    stderr: 'svc: The server rejected this API key: run `svc login` with another, or set SVC_TOKEN.\n',
  })
})

it('lists keys, newest first, without their tokens', async () => {
  const { token } = JSON.parse((await svc(['keys', 'add', 'two', '--role', 'owner', '--json'])).stdout)
  const { stdout } = await svc(['keys'])
  const [two, first, ...others] = stdout.split('\n')
  expect(two).toMatch(/^key_\w+\ttwo\towner\tsvc_\w+…\t\d+s\tnever\towner\t-$/)
  expect(first).toMatch(/^key_\w+\towner\towner\tsvc_\w+…\t\d+s\t(never|\d+s ago)\towner\t-$/)
  expect(others).toEqual([''])
  expect(stdout).not.toContain(token)
  expect(JSON.parse((await svc(['keys', 'ls', '--json'])).stdout)).toMatchObject([
    { name: 'two', role: 'owner', created_by: team.ownerId, created_by_name: 'owner' },
    { name: 'owner', role: 'owner', created_by: team.ownerId, created_by_name: 'owner' },
  ])
})

it('creates a key with limits, and lists them', async () => {
  for (const name of ['web', 'api']) await team.owner('PUT', `/v1/projects/${name}`)
  const limits = ['--expires', '12d', '--project', 'web', '--project', 'api', '--read-only']
  const { code, stdout } = await svc(['keys', 'add', 'narrow', ...limits])
  const withIt = await svcWith(node, stdout.trim())
  expect({ code, projects: (await withIt(['projects'])).stdout }).toMatchObject({
    code: 0,
    projects: expect.stringContaining('web'),
  })
  expect((await withIt(['projects', 'add', 'other'])).stderr).toContain('This API key is read-only')
  const [listed] = (await svc(['keys'])).stdout.split('\n')
  expect(listed).toMatch(/\tread only, api, web, ends in 1[12]d$/)
  await svc(['keys', 'add', 'short', '--expires', '1h'])
  expect((await svc(['keys'])).stdout).toMatch(/\tends in (59m|1h)\n/)
  expect((await svc(['keys', 'add', 'other', '--project', 'nobodys'])).stderr).toContain('projects.0')
})

it('prompts before it revokes, if there is a terminal, and warns about the key in use', async () => {
  const { id } = JSON.parse((await svc(['keys', 'add', 'kept', '--json'])).stdout)
  expect(await svc(['keys', 'rm', id])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'svc: No terminal to confirm on: pass --yes.\n',
  })
  expect((await svc(['keys'])).stdout).toContain(id)
})

it.each([
  [['add', 'a', '--role', 'king'], 2, "svc: option '--role <role>' argument 'king' is invalid."],
  [['add', ''], 2, 'svc: name: '],
  [['add'], 2, "svc: missing required argument 'name'"],
  [['rm', 'key_1'], 4, 'svc: The team has no such API key.\n'],
])('keys %j ends with %i', async (args, code, message) => {
  const outcome = await svc(['keys', ...args])
  expect(outcome).toMatchObject({ code, stdout: '' })
  expect(outcome.stderr).toContain(message)
})

it('ends with 3 for a member who requests an owner key', async () => {
  const member = await svcWith(node, (await addMember(node, team)).key)
  expect(await member(['keys', 'add', 'a', '--role', 'owner'])).toMatchObject({ code: 3, stdout: '' })
})
