/**
 * `kill -9` at each step of a push: while the pack arrives, while the site is built, and once it is live.
 * @module-tag long
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { until } from '../../support/eventually.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { newDataDirectory, type Program, startOnWhatIsThere, startProgram } from '../../support/program.ts'
import { newWorkTree, type WorkTree } from '../../support/work-tree.ts'
import { get } from '../visit.ts'

const project = 'web'

let settings: Record<string, string>
let program: Program
let key: string
let tree: WorkTree

beforeEach(async () => {
  settings = { SVC_DATA_DIR: join(await newDataDirectory(), 'data'), SVC_BUILD_SANDBOX: 'none' }
  program = await startProgram(settings)
  key = program.key ?? ''
  knowSecret('the key of the pusher', key)
  tree = await newWorkTree()
})

afterEach(() => program.end('SIGTERM'))

const remote = () => program.apiUrl.replace('//', `//x:${key}@`).concat(`/git/personal/${project}.git`)

async function restart(): Promise<void> {
  await program.end('SIGKILL')
  program = await startOnWhatIsThere(settings)
}

/** The states of all deployments. */
const statesSchema = z.object({ data: z.array(z.object({ state: z.string() })) })

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(program.apiUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.json()
}

const live = async () => (await get(program.siteUrl(project), 'index.html')).bytes.toString()

/** A push that goes on in the background; `said` is what it has written. */
function beginPush() {
  const child = spawn('git', ['push', '--progress', remote(), 'main'], { cwd: tree.directory, stdio: 'pipe' })
  const push = { child, said: '', ended: once(child, 'close') }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    push.said += text
  })
  return push
}

it('what is live stays, and the branch is where it was, whatever the push that was under way', async () => {
  await tree.commit({ 'index.html': 'first' })
  expect((await tree.git('push', remote(), 'main')).said).toContain('Live: ')
  await tree.commit({ 'index.html': 'second', large: randomBytes(60 * 1024 * 1024) })
  const cut = beginPush()
  await until(() => /Writing objects: +\d/.test(cut.said))
  await restart()
  await cut.ended
  expect(cut.child.exitCode).not.toBe(0)
  expect(await live()).toBe('first')
  const again = await tree.git('push', remote(), 'main')
  expect(again.said).toContain('Live: ')
  expect(await live()).toBe('second')
})

it('a build that was running ends, and the same push is taken again', async () => {
  const build = { build_command: 'echo begins; sleep 5; mkdir out; cp *.html out', output_directory: 'out' }
  await call('PUT', `/v1/projects/${project}`, { build })
  await tree.commit({ 'index.html': 'built' })
  const cut = beginPush()
  await until(() => cut.said.includes('begins'))
  await restart()
  await cut.ended
  expect(cut.child.exitCode).not.toBe(0)
  const again = await tree.git('push', remote(), 'main')
  expect(again.said).toContain('Live: ')
  expect(await live()).toBe('built')
  const { data } = statesSchema.parse(await call('GET', `/v1/deployments?project=${project}`))
  for (const { state } of data) expect(['ready', 'error', 'canceled']).toContain(state)
})

it('a push that was acknowledged is live and up to date', async () => {
  await tree.commit({ 'index.html': 'first' })
  expect((await tree.git('push', remote(), 'main')).said).toContain('Live: ')
  await restart()
  expect(await live()).toBe('first')
  expect((await tree.git('push', remote(), 'main')).said).toContain('Everything up-to-date')
})
