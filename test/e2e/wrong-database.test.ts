/**
 * Files and database that don't belong together: the start is refused, and no file is lost.
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

/** Why it doesn't start. */
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

/** Every file of the store with its place, the old ones as if they were deployed hours ago. */
async function ageFiles(): Promise<string[]> {
  const teams = join(data, 'blobs', 'teams')
  const names = (await readdir(teams, { recursive: true })).filter((name) => name.includes('/'))
  for (const name of names) await utimes(join(teams, name), 1_000, 1_000)
  return names.toSorted()
}

const ownerFile = () => join(data, 'blobs', 'installation')

/** Puts an empty database in the place of the right one. The function that it returns puts that back. */
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
  // Even where it ends without a word, both carry the id from then on.
  await program.end('SIGKILL')
}, 120_000)

it('refuses to start on an empty database beside the files of another, and loses none of them', async () => {
  const files = await ageFiles()
  const putBack = await hideDatabase()
  const owner = (await readFile(ownerFile(), 'utf8')).trim()
  const said = await refusal()
  expect(said).toContain(`The files in ${join(data, 'blobs')} belong to installation ${owner}`)
  expect(said).toContain('svc admin blobs adopt')
  const unasked = await svc(['admin', 'blobs', 'adopt'])
  expect(unasked).toMatchObject({ code: 2, stdout: '' })
  expect(unasked.stderr).toContain(`belong to: ${owner}\n`)
  expect(unasked.stderr).toContain('0 of 0 files that it references exist')
  expect(unasked.stderr).toContain('pass --yes')
  // What was made while it was refused is no excuse the next time.
  expect(await svc(['admin', 'key'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `svc: ${said.split('ended with 1: ')[1]}`,
  })
  await putBack()
  expect(await ageFiles()).toEqual(files)
  const program = await start()
  expect(await siteOf(program)).toBe('the site')
  expect(program.key).toBeUndefined()
  await program.end('SIGTERM')
}, 120_000)

it('takes files of another database when it is told to, and only then', async () => {
  await hideDatabase()
  expect((await svc(['admin', 'blobs', 'adopt', '--yes'])).stdout).toContain('now belong to this database.')
  const program = await start()
  // It belongs together by now; and whoever wants to look at it has to wait for the node.
  const swept = await svc(['admin', 'blobs', 'sweep', '--yes', '--json'])
  expect(JSON.parse(swept.stdout)).toEqual({ objects: 1, swept: 1 })
  expect((await svc(['admin', 'blobs', 'adopt'])).stderr).toContain('is in use by process')
  await program.end('SIGTERM')
}, 120_000)

it('starts after it was killed at any step of its first start', async () => {
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
