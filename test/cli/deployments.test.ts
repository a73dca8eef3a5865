/** `svc deployments`, `svc promote`, `svc rollback` and `svc open`. */
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient, type RouterOutputs } from '../../src/api/client/index.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../support/team.ts'
import { newHome, type Svc, svcWith } from './svc.ts'

type Deployment = RouterOutputs['deployments']['get']

let node: TestNode
let team: TestTeam
let svc: Svc
let project: string

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
  project = unique('site')
  await apiOf(team.ownerKey).projects.put.mutate({ project })
})

const apiOf = (token: string) => createClient({ url: node.apiUrl, token })

/** A deployment of one small file. */
async function deploy(content: string, options: { target?: 'preview'; meta?: Record<string, string> } = {}) {
  const files = [{ path: 'index.html', content }]
  return apiOf(team.ownerKey).deployments.create.mutate({ project, target: 'production', files, ...options })
}

const idsOf = (stdout: string) => stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])

const liveNow = async () => (await apiOf(team.ownerKey).projects.get.query({ project })).production_deployment

describe('svc deployments', () => {
  it('lists them, newest first, one per line', async () => {
    const old = await deploy('old')
    const live = await deploy('live')
    expect(await svc(['deployments'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(
          `^${live.id}\t${project}\tproduction\tlive\t\\d+s\t4 B\t${live.url}\towner\n` +
            `${old.id}\t${project}\tproduction\tready\t\\d+s\t3 B\t${old.url}\towner\n$`,
        ),
      ),
      stderr: '',
    })
  })

  it('lists those of the project of a linked directory, which stderr names, or of all', async () => {
    const { id } = await deploy('1')
    const other = unique('site')
    await apiOf(team.ownerKey).projects.put.mutate({ project: other })
    const { svc: run, home } = await newHome()
    const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey }
    const cwd = join(home, 'work')
    const listed = async (...options: string[]) => {
      const { stdout, stderr } = await run(['deployments', ...options], { env, cwd })
      return [idsOf(stdout), stderr.trim()]
    }
    await run(['link', other], { env, cwd })
    const named = `Of the project ${other}, as svc.json says; --all is of all projects.`
    expect(await listed()).toEqual([[], `${named}\nNo deployments match.`])
    expect(await listed('--json')).toEqual([['[]'], named])
    expect(await listed('--all')).toEqual([[id], ''])
    expect(await listed('--project', project)).toEqual([[id], ''])
    expect(await run(['deployments', '--all', '--project', project], { env, cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Pass either --all or --project.'),
    })
  })

  it('lists those that match the options', async () => {
    const first = await deploy('1')
    const preview = await deploy('2', { target: 'preview', meta: { branch: 'topic' } })
    const last = await deploy('3')
    const listed = async (...options: string[]) => idsOf((await svc(['deployments', ...options])).stdout)
    expect(await listed('--target', 'preview')).toEqual([preview.id])
    expect(await listed('--branch', 'topic')).toEqual([preview.id])
    expect(await listed('--limit', '2')).toEqual([last.id, preview.id])
    expect(await listed('ls', '--state', 'error,canceled')).toEqual([])
    const { stdout } = await svc(['deployments', '--project', project, '--json'])
    expect(JSON.parse(stdout).map(({ id }: Deployment) => id)).toEqual([last.id, preview.id, first.id])
  })

  it.each([
    [['--limit', '0'], 2, "svc: option '--limit <count>' argument '0' is invalid."],
    [['--target', 'all'], 2, "svc: option '--target <target>' argument 'all' is invalid."],
    [['--state', 'done'], 2, 'svc: state: must be one of '],
    [['--project', 'nothing'], 4, 'svc: The team has no project nothing.'],
    [['show', 'dpl_1'], 4, 'svc: The team has no deployment dpl_1.'],
    [['rm', 'dpl_1', '--yes'], 4, 'svc: The team has no deployment dpl_1.'],
  ])('deployments %j ends with %i', async (args, code, message) => {
    const outcome = await svc(['deployments', ...args])
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toContain(message)
  })

  it('shows one, without control characters', async () => {
    const meta = { branch: 'topic', message: 'a\u001b]0;title\u0007\u001b[2Jb\nc\u009b31m' }
    const { id, url } = await deploy('<h1>', { meta })
    const { stdout } = await svc(['deployments', 'show', id])
    expect(stdout).toContain(`\nurl\t${url}\n`)
    expect(stdout).toContain('\nsize\t4 B in 1 file\n')
    expect(stdout).toContain('\nmeta.branch\ttopic\nmeta.message\tab c\n')
    const { stdout: json } = await svc(['deployments', 'show', id, '--json'])
    for (const control of ['\u0007', '\u001b', '\u009b']) expect(json).not.toContain(control)
    expect(JSON.parse(json)).toMatchObject({ id, meta })
  })

  it('shows where its commit and its pull request are', async () => {
    const repository = 'https://github.com/acme/web'
    const { id } = await deploy('linked', { meta: { repository, commit: '18dc59b', pull_request: '7' } })
    const { stdout } = await svc(['deployments', 'show', id])
    expect(stdout).toContain(`\ncommit\t${repository}/commit/18dc59b\n`)
    expect(stdout).toContain(`\npull request\t${repository}/pull/7\n`)
  })

  it('removes one that is not live', async () => {
    const old = await deploy('old')
    const live = await deploy('live')
    expect(await svc(['deployments', 'rm', old.id, '--yes'])).toEqual({
      code: 0,
      stdout: `Deleted ${old.url}.\n`,
      stderr: '',
    })
    expect(await svc(['deployments', 'rm', live.id, '--yes'])).toMatchObject({ code: 5, stdout: '' })
    expect(await svc(['deployments', 'rm', live.id])).toMatchObject({ code: 2, stdout: '' })
    expect(idsOf((await svc(['deployments'])).stdout)).toEqual([live.id])
  })

  it('ends with 3 for a member who may not remove one', async () => {
    const { id } = await deploy('old', { target: 'preview' })
    const member = await svcWith(node, (await addMember(node, team)).key)
    expect(await member(['deployments', 'rm', id, '--yes'])).toMatchObject({ code: 3, stdout: '' })
  })
})

describe('svc promote', () => {
  it('makes a deployment live, and prints its URL', async () => {
    const first = await deploy('1')
    const { aliases } = await deploy('2')
    expect(await svc(['promote', first.id])).toEqual({
      code: 0,
      stdout: `Live at ${aliases[0]}: ${first.id}\n`,
      stderr: '',
    })
    expect(await liveNow()).toBe(first.id)
  })

  it('ends with 4 when there is no such deployment', async () => {
    expect(await svc(['promote', 'dpl_1'])).toMatchObject({ code: 4, stdout: '' })
  })
})

describe('svc rollback', () => {
  it('makes the previous deployment live, and each further time one that is older', async () => {
    const [first, second, third] = [await deploy('1'), await deploy('2'), await deploy('3')]
    await deploy('preview', { target: 'preview' })
    const { code, stdout } = await svc(['rollback'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Live at ${first.aliases[0]}: ${second.id}\n` })
    expect(JSON.parse((await svc(['rollback', '--json', '--project', project])).stdout)).toMatchObject({
      id: first.id,
      live: true,
    })
    expect(await svc(['rollback'])).toMatchObject({ code: 5, stdout: '' })
    expect(await liveNow()).toBe(first.id)
    await svc(['promote', third.id])
    expect((await svc(['rollback'])).stdout).toContain(first.id)
  })

  it('goes by when a deployment was live, not by when it was created', async () => {
    const [first, second] = [await deploy('1'), await deploy('2')]
    await deploy('3')
    await svc(['promote', first.id])
    await svc(['promote', second.id])
    expect((await svc(['rollback'])).stdout).toContain(first.id)
  })

  it('ends with 5 when no deployment was live before, and with 4 when there is no such project', async () => {
    await deploy('1')
    expect(await svc(['rollback'])).toEqual({
      code: 5,
      stdout: '',
      stderr:
        `svc: ${project} has no earlier deployment that was live. ` +
        '`svc promote <deployment>` makes any other live.\n',
    })
    expect(await svc(['rollback', '--project', 'nothing'])).toMatchObject({ code: 4, stdout: '' })
  })
})

describe('svc open', () => {
  it('prints the URL of a project or a deployment', async () => {
    const { id, url, aliases } = await deploy('1')
    expect(await svc(['open'])).toEqual({ code: 0, stdout: `${aliases[0]}\n`, stderr: '' })
    expect(await svc(['open', project])).toMatchObject({ stdout: `${aliases[0]}\n` })
    expect(JSON.parse((await svc(['open', id, '--json'])).stdout)).toEqual({ url })
  })

  it.each(['nothing', 'dpl_1'])('ends with 4 when there is no %s', async (reference) => {
    expect(await svc(['open', reference])).toMatchObject({ code: 4, stdout: '' })
  })
})
