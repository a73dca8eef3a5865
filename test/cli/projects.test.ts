/** `svc projects` and `svc env`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createClient } from '../../src/api/client/index.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../support/team.ts'
import { type Svc, svcWith } from './svc.ts'

let node: TestNode
let team: TestTeam
let svc: Svc
let name: string

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
  name = unique('site')
})

const apiOf = () => createClient({ url: node.apiUrl, token: team.ownerKey })

const made = (project: string) => apiOf().projects.put.mutate({ project })

const names = async () => (await apiOf().projects.list.query({})).data.map((project) => project.name)

const addressOf = (label: string) => new RegExp(`^Project ${label}: http://${label}\\.localhost:\\d+\n$`)

describe('svc projects', () => {
  it('reports when there is none, with nothing on standard output', async () => {
    expect(await svc(['projects'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No projects yet: `svc projects add <name>` creates one.\n',
    })
    expect(await svc(['projects', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  })

  it('adds, lists, shows, renames and removes', async () => {
    const added = await svc(['projects', 'add', name])
    expect(added).toEqual({ code: 0, stdout: expect.stringMatching(addressOf(name)), stderr: '' })
    const url = added.stdout.trim().split(' ').at(-1)
    expect((await svc(['projects'])).stdout).toMatch(new RegExp(`^${name}\t${url}\t-\t\\d+s\n$`))
    expect(JSON.parse((await svc(['projects', '--json'])).stdout)).toEqual([
      expect.objectContaining({ name, production_url: url }),
    ])
    expect((await svc(['projects', 'show', name])).stdout).toContain(`\nurl\t${url}\nlive\tnothing yet\n`)
    const renamed = unique('other')
    const { stdout } = await svc(['projects', 'rename', name, renamed])
    expect(stdout).toBe(`Project ${renamed}: ${url}\n`)
    expect(await svc(['projects', 'rm', renamed, '--yes'])).toEqual({
      code: 0,
      stdout: `Deleted project ${renamed}.\n`,
      stderr: '',
    })
    expect(await names()).toEqual([])
  })

  it('changes build and site settings, and keeps those that are not named', async () => {
    await made(name)
    const build = ['--install-command', 'npm ci', '--build-command', 'npm run build']
    const set = await svc(['projects', 'set', name, ...build, '--output-directory', 'out', '--spa', 'on'])
    expect(set).toEqual({ code: 0, stdout: `Changed project ${name}.\n`, stderr: '' })
    await svc(['projects', 'set', name, '--build-command', 'none', '--preview-ttl-days', '7'])
    await svc(['projects', 'set', name, '--note', 'The shop'])
    expect(await apiOf().projects.get.query({ project: name })).toMatchObject({
      build: {
        install_command: 'npm ci',
        build_command: null,
        output_directory: 'out',
        root_directory: '.',
      },
      spa: true,
      preview_ttl_days: 7,
      note: 'The shop',
    })
    const lines = ['previews\tkept 7 days\n', 'spa\tyes\n', 'hsts\tno\n', 'note\tThe shop\n']
    const { stdout } = await svc(['projects', 'show', name])
    for (const line of lines) expect(stdout).toContain(line)
    const server = ['--start', 'node server.mjs', '--memory-bytes', '4294967296', '--health-path', '/up']
    await svc(['projects', 'set', name, ...server, '--idle-s', '60'])
    const withServer = (await svc(['projects', 'show', name])).stdout
    for (const line of ['start\tnode server.mjs\n', 'memory\t4.0 GiB\n', 'health path\t/up\n'])
      expect(withServer).toContain(line)
    expect(withServer).toContain('idle\tstopped after 60 s\n')
    await svc(['projects', 'set', name, '--memory-bytes', 'none', '--start', 'none'])
    expect((await svc(['projects', 'show', name])).stdout).toContain('memory\t512 MiB\n')
    await svc(['projects', 'set', name, '--note', 'none', '--preview-ttl-days', 'none'])
    const restored = (await svc(['projects', 'show', name])).stdout
    for (const line of ['previews\tkept\n', 'note\tnone\n']) expect(restored).toContain(line)
  })

  it('does not create a project by changing a missing one', async () => {
    const { code, stderr } = await svc(['projects', 'set', name, '--spa', 'on'])
    expect(code).not.toBe(0)
    expect(stderr).toContain(`\`svc projects add ${name}\` creates it.`)
    expect(await names()).toEqual([])
  })

  it.each([
    [['--spa', 'maybe'], 'on or off'],
    [['--preview-ttl-days', 'soon'], 'a number from 1 on, or none'],
    [['--memory-bytes', '5'], 'a number from 134217728 on, or none'],
    [['--port', 'http'], 'a number from 1 on, or none'],
    [['--network', 'host'], 'none, web, tcp'],
    [['--protection', 'some'], 'none, preview, all'],
    [[], 'Pass a setting'],
  ])('refuses %j', async (options, message) => {
    await made(name)
    const { code, stderr } = await svc(['projects', 'set', name, ...options])
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('adds an existing one without a change', async () => {
    const { id } = await made(name)
    expect(JSON.parse((await svc(['projects', 'add', name, '--json'])).stdout)).toMatchObject({ id })
  })

  it.each([
    [['add', 'No_Name'], 2, 'svc: project: must be a DNS label of at most 40 characters: '],
    [['show', 'nothing'], 4, 'svc: The team has no project nothing.\n'],
    [['rename', 'nothing', 'nothing'], 4, 'svc: The team has no project nothing.\n'],
    [['rm', 'nothing', '--yes'], 4, 'svc: The team has no project nothing.\n'],
  ])('projects %j ends with %i', async (args, code, message) => {
    const outcome = await svc(['projects', ...args])
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr.startsWith(message)).toBe(true)
    expect(await names()).toEqual([])
  })

  it('ends with 5 when the new name is in use', async () => {
    const other = unique('other')
    await Promise.all([made(name), made(other)])
    expect(await svc(['projects', 'rename', name, other])).toEqual({
      code: 5,
      stdout: '',
      stderr: `svc: A project named ${other} exists. Choose another name.\n`,
    })
  })

  it('removes nothing without confirmation', async () => {
    await made(name)
    expect(await svc(['projects', 'rm', name], { input: 'y\n' })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'svc: No terminal to confirm on: pass --yes.\n',
    })
    expect(await names()).toEqual([name])
  })

  it('ends with 3 for a member who may not remove one', async () => {
    await made(name)
    const member = await svcWith(node, (await addMember(node, team)).key)
    const { code, stderr } = await member(['projects', 'rm', name, '--yes', '--json'])
    expect({ code, ...JSON.parse(stderr) }).toEqual({
      code: 'FORBIDDEN',
      reason: 'role_required',
      message: expect.any(String),
      request_id: expect.stringMatching(/^req_/),
    })
    expect(code).toBe(3)
  })

  it('lists more than a page', async () => {
    const all = Array.from({ length: 101 }, (_, index) => unique(`n${index}`))
    await Promise.all(all.map(made))
    const listed = (await svc(['projects'])).stdout.split('\n').map((line) => line.split('\t')[0])
    expect(listed.filter(Boolean)).toEqual(all.sort())
  })
})

describe('svc env', () => {
  beforeEach(async () => {
    await made(name)
  })

  const variables = async () =>
    (await apiOf().projects.get.query({ project: name })).env.map(({ key, target }) => `${key} ${target}`)

  it('sets, lists and removes variables, and never prints a value', async () => {
    expect(await svc(['env', 'set', 'A=secret=1', 'B=', '--target', 'production'])).toEqual({
      code: 0,
      stdout: `Set A, B in ${name}.\n`,
      stderr: '',
    })
    expect(await svc(['env', 'set', 'C=secret', '--project', name])).toMatchObject({ code: 0 })
    expect(await variables()).toEqual(['A production', 'B production', 'C production,preview'])
    expect((await svc(['env', '--target', 'preview'])).stdout).toMatch(/^C\tproduction,preview\t-\t\d+s\n$/)
    expect(await svc(['env', 'rm', 'C', '--target', 'preview'])).toMatchObject({ code: 0 })
    expect(await svc(['env', 'rm', 'A', 'B'])).toMatchObject({ stdout: `Removed A, B in ${name}.\n` })
    const { stdout } = await svc(['env', '--json'])
    expect(JSON.parse(stdout)).toEqual([
      { key: 'C', target: ['production'], branch: null, updated_ms: expect.any(Number) },
    ])
  })

  it('sets, lists and removes those of a branch, beside the others', async () => {
    await svc(['env', 'set', 'A=1', 'B=1'])
    expect(await svc(['env', 'set', 'A=2', '--branch', 'next'])).toMatchObject({ code: 0 })
    expect((await svc(['env', '--branch', 'next'])).stdout).toMatch(/^A\tpreview\tnext\t\d+s\n$/)
    expect(await variables()).toEqual(['A production,preview', 'A preview', 'B production,preview'])
    expect(await svc(['env', 'rm', 'A'])).toMatchObject({ code: 0 })
    expect(await variables()).toEqual(['A preview', 'B production,preview'])
    expect(await svc(['env', 'rm', 'B', '--branch', 'next'])).toMatchObject({
      code: 4,
      stderr: `svc: ${name} (branch next) has no variable B. Nothing was removed.\n`,
    })
    expect(await svc(['env', 'rm', 'A'])).toMatchObject({ code: 4 })
    expect(await svc(['env', 'rm', 'A', '--branch', 'next'])).toMatchObject({ code: 0 })
    expect(await variables()).toEqual(['B production,preview'])
  })

  it('takes a value from standard input', async () => {
    const outcome = await svc(['env', 'set', 'PEM'], { input: '-----\nsecret\n' })
    expect(outcome).toEqual({ code: 0, stdout: `Set PEM in ${name}.\n`, stderr: '' })
  })

  it('imports a file, or standard input', async () => {
    const file = join(inject('directory'), unique('env'))
    await writeFile(file, '# a comment\nexport ONE=1\nTWO="2\n2"\n\n')
    expect(await svc(['env', 'import', file])).toMatchObject({ stdout: `Set ONE, TWO in ${name}.\n` })
    const { code, stdout } = await svc(['env', 'import', '--json'], { input: 'THREE=3\n' })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).map(({ key }: { key: string }) => key)).toEqual(['ONE', 'THREE', 'TWO'])
  })

  it('names the file and the line that it can’t import, and no value', async () => {
    const file = join(inject('directory'), unique('env'))
    await writeFile(file, '\uFEFFA=1\nB="secret\nC=3\n')
    const at = `svc: ${file}, line`
    const unclosed = `${at} 2: the value begins with ", and does not end with it.\n`
    expect(await svc(['env', 'import', file])).toEqual({ code: 2, stdout: '', stderr: unclosed })
    await writeFile(file, 'A=1\n\n9B=secret\n')
    const { code, stderr } = await svc(['env', 'import', file])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${at} 3: "9B" is not a valid variable name: `),
    })
    expect(stderr).not.toContain('secret')
    expect(await variables()).toEqual([])
  })

  it.each([
    [['set', '1A=x'], 2, 'svc: "1A" is not a valid variable name: '],
    [['set', 'A=x', 'B'], 2, 'svc: B has no value: '],
    [['set', 'A=x', 'A=y'], 2, 'svc: env.1.key: A is duplicated for production\n'],
    [
      ['set', 'A=x', '--target', 'staging'],
      2,
      "svc: option '--target <target>' argument 'staging' is invalid.",
    ],
    [
      ['set', 'A=x', '--branch', 'next', '--target', 'production'],
      2,
      'svc: A variable of a branch is for its previews: leave --target production out.\n',
    ],
    [['set', 'A=x', '--project', 'nothing'], 4, 'svc: The team has no project nothing.\n'],
    [['rm', 'A'], 4, /^svc: \S+ has no variable A\. Nothing was removed\.\n$/],
    [
      ['set', 'A'],
      2,
      'svc: Standard input has no value for A: pipe one, or write A= to set it to nothing.\n',
    ],
    [['import', '/nowhere'], 1, "svc: /nowhere can't be read: "],
    [['import'], 2, 'svc: Standard input contains no variables: '],
  ])('env %j ends with %i, and changes nothing', async (args, code, message) => {
    const outcome = await svc(['env', ...args])
    expect(outcome).toMatchObject({ code, stdout: '' })
    if (message instanceof RegExp) expect(outcome.stderr).toMatch(message)
    else expect(outcome.stderr.startsWith(message)).toBe(true)
    expect(await variables()).toEqual([])
  })

  it('requires a project if there are several', async () => {
    const other = unique('other')
    await made(other)
    const both = [name, other].sort().join(', ')
    expect(await svc(['env'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `svc: Pass a project with --project: ${both}.\n`,
    })
  })
})
