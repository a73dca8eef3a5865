/**
 * A data directory and a database that don't belong together: the start is refused, and no file is lost.
 * @module-tag long
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'

const urlSchema = z.object({ url: z.string() })

const directories: string[] = []

async function newDirectory(): Promise<string> {
  const directory = await newDataDirectory()
  directories.push(directory)
  return directory
}

afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

let data: string
let label: string

const start = (directory = data) => startProgram({ SVC_DATA_DIR: directory })

/** The error with which the start fails. */
const refusal = () =>
  start().then(
    () => 'It started.',
    (error: Error) => error.message,
  )

const siteOf = async (program: Program) => (await visit(program.siteUrl(label))).text

async function deploy(program: Program): Promise<void> {
  const call = (method: string, path: string, body: unknown) =>
    fetch(`${program.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await call('PUT', '/v1/projects/site', {})
  const files = [{ path: 'index.html', content: 'the site' }]
  const answer = await call('POST', '/v1/deployments', { project: 'site', target: 'production', files })
  label = new URL(urlSchema.parse(await answer.json()).url).hostname.split('.')[0] ?? ''
}

/** Every file of the store with its place; the old ones are dated as if deployed hours ago. */
async function ageFiles(): Promise<string[]> {
  const teams = join(data, 'blobs', 'teams')
  const names = (await readdir(teams, { recursive: true })).filter((name) => name.includes('/'))
  for (const name of names) await utimes(join(teams, name), 1_000, 1_000)
  return names.toSorted()
}

const ownerFile = () => join(data, 'blobs', 'installation')

/** Replaces the database with an empty one. The returned function puts the right one back. */
async function hideDatabase(): Promise<() => Promise<void>> {
  await rename(join(data, 'db'), join(data, 'db.right'))
  return async () => {
    await rm(join(data, 'db'), { recursive: true, force: true })
    await rename(join(data, 'db.right'), join(data, 'db'))
  }
}

function svc(args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, SVC_DATA_DIR: data }
    const child = execFile(process.execPath, ['dist/svc.cjs', ...args], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 0, stdout, stderr }),
    )
    child.stdin?.end()
  })
}

beforeAll(async () => {
  data = await newDirectory()
  const program = await start()
  await deploy(program)
  expect(await siteOf(program)).toBe('the site')
  // Even if it is killed, both have the installation's id from then on.
  await program.end('SIGKILL')
}, 120_000)

it('refuses to start on an empty database with the files of another, and loses none', async () => {
  const files = await ageFiles()
  const putBack = await hideDatabase()
  const owner = (await readFile(ownerFile(), 'utf8')).trim()
  const reason = await refusal()
  expect(reason).toContain(`The files in ${join(data, 'blobs')} belong to installation ${owner}`)
  expect(reason).toContain('svc admin blobs adopt')
  const unconfirmed = await svc(['admin', 'blobs', 'adopt'])
  expect(unconfirmed).toMatchObject({ code: 2, stdout: '' })
  expect(unconfirmed.stderr).toContain(`belong to: ${owner}\n`)
  expect(unconfirmed.stderr).toContain('0 of 0 files that it references exist')
  expect(unconfirmed.stderr).toContain('pass --yes')
  // The refused start must not create files that let the next one pass.
  expect(await svc(['admin', 'key'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `svc: ${reason.split('ended with 1: ')[1]}`,
  })
  await putBack()
  expect(await ageFiles()).toEqual(files)
  const program = await start()
  expect(await siteOf(program)).toBe('the site')
  expect(program.key).toBeUndefined()
  await program.end('SIGTERM')
}, 120_000)

it('takes over files of another database after `svc admin blobs adopt --yes` only', async () => {
  await hideDatabase()
  expect((await svc(['admin', 'blobs', 'adopt', '--yes'])).stdout).toContain('now belong to this database.')
  const program = await start()
  // They belong together now; whoever wants to check has to wait for the node.
  const swept = await svc(['admin', 'blobs', 'sweep', '--yes', '--json'])
  expect(JSON.parse(swept.stdout)).toEqual({ objects: 1, swept: 1 })
  expect((await svc(['admin', 'blobs', 'adopt'])).stderr).toContain('is in use by process')
  await program.end('SIGTERM')
}, 120_000)

it('starts after being killed at any step of its first start', async () => {
  const steps = ['db.new', 'db', 'blobs', 'blobs/teams', 'blobs/installation']
  const directory = await newDirectory()
  for (const step of steps) {
    const env = { PATH: process.env.PATH, SVC_DATA_DIR: directory, SVC_PORT: '0', SVC_EDGE_PORT: '0' }
    const child = spawn(process.execPath, ['dist/main.js'], { env: { ...env, SVC_INTERNAL_PORT: '0' } })
    const gone = once(child, 'exit')
    while (!(await stat(join(directory, step)).catch(() => undefined)) && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    child.kill('SIGKILL')
    await gone
  }
  const program = await start(directory)
  expect(program.key).toBeDefined()
  await program.end('SIGTERM')
}, 120_000)
