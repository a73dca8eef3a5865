/** Processes of git end with their node, and what is left of them is ended by the next one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { pushOf, send } from '../platform/forges/steps.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { startForge } from '../support/git-forge.ts'
import { gitProcessesIn, killGitIn } from '../support/git-processes.ts'
import { knowSecret } from '../support/kept-logs.ts'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'
import { beginPush, pushBodyOf } from '../support/raw-push.ts'
import { newWorkTree } from '../support/work-tree.ts'

vi.setConfig({ testTimeout: 120_000 })

/** A program that ends with the test. */
async function startedIn(settings: Record<string, string>): Promise<Program> {
  const program = await startProgram(settings)
  onTestFinished(() => program.end('SIGKILL').then(() => {}))
  return program
}

/** A process as git leaves one behind, when it was ended itself. */
async function leaveIn(directory: string): Promise<ChildProcess> {
  const env = { PATH: process.env.PATH, SVC_GIT_REPOSITORY: join(directory, 'git', 'prj_1.git') }
  const child = spawn('sleep', ['600'], { env, stdio: 'ignore' })
  await once(child, 'spawn')
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

it('with a node that is killed, and what another node left with the next start', async () => {
  const [forge, resolver] = await Promise.all([startForge(), startDnsServer()])
  onTestFinished(async () => {
    await Promise.all([forge.close(), resolver.close()])
  })
  resolver.set(forge.host, 'A', [forge.address])
  const directory = await newDataDirectory()
  const ca = join(await newDataDirectory(), 'forge.pem')
  await writeFile(ca, forge.ca)
  const settings = {
    SVC_DATA_DIR: directory,
    SVC_RESOLVERS: resolver.address,
    SVC_GIT_HOSTS: `${forge.host}:${forge.port}`,
    SVC_GIT_CA: ca,
  }
  const program = await startedIn(settings)
  await expect.poll(program.stderr).toMatch(/Git reads in \d+ processes at most, of \d+ MiB each/)
  const secret = 'secret of the repository'
  knowSecret('the secret of a repository', secret)
  const made = await fetch(`${program.apiUrl}/v1/projects/web`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ git: { url: forge.url, provider: 'github', secret } }),
  })
  const { id } = z.object({ id: z.string() }).parse(await made.json())
  const commit = await forge.commit({ 'index.html': 'page' })
  // The forge never answers: git waits, and says nothing.
  forge.switches.before = () => new Promise(() => {})
  await send({ node: program, project: { id }, secret }, 'push', pushOf(forge, { commit }))
  const fetching = async () =>
    (await gitProcessesIn(directory)).filter(({ command }) => command.includes('remote-https'))
  await expect.poll(fetching, { timeout: 30_000 }).not.toEqual([])
  await program.end('SIGKILL')
  await expect.poll(() => gitProcessesIn(directory), { timeout: 10_000 }).toEqual([])

  const left = await leaveIn(directory)
  const other = await leaveIn(await newDataDirectory())
  forge.switches = {}
  const next = await startedIn(settings)
  await expect.poll(() => left.signalCode, { timeout: 30_000 }).toBe('SIGKILL')
  expect(other.signalCode).toBeNull()
  await expect.poll(next.stderr).toContain('Processes of git that an earlier node left: 1.')
  // The delivery is taken again, and may be fetched by now; what the killed fetch had is gone after that.
  const repositories = () => readdir(join(directory, 'git'))
  await expect.poll(repositories, { timeout: 60_000 }).toEqual([])
  await next.end('SIGTERM')
})

it('what a push had put aside when node and git were killed is gone after the next start', async () => {
  const directory = await newDataDirectory()
  const settings = { SVC_DATA_DIR: directory }
  const program = await startedIn(settings)
  const key = program.key ?? ''
  const teams = await fetch(`${program.apiUrl}/v1/teams`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = z.object({ data: z.array(z.object({ slug: z.string() })) }).parse(await teams.json())
  const remoteOf = ({ apiUrl }: Program) => `${apiUrl}/git/${data[0]?.slug}/web.git`
  const tree = await newWorkTree()
  const push = (to: Program) => tree.git('push', remoteOf(to).replace('//', `//x:${key}@`), 'main')
  const first = await tree.commit({ 'index.html': 'page' })
  expect((await push(program)).said).toContain('remote: Live: ')
  const names = async () => (await readdir(join(directory, 'git'), { recursive: true })).sort()
  // Its end is known a little earlier.
  const isHeld = async () => (await names()).some((name) => name.includes('svc-'))
  await expect.poll(isHeld, { timeout: 30_000 }).toBe(false)
  const before = await names()
  await tree.commit({ 'large.bin': randomBytes(1024 * 1024) })
  const body = await pushBodyOf(tree, first)
  const sent = beginPush(remoteOf(program), key)
  sent.write(body.subarray(0, body.length / 2))
  const isHalfThere = async () => (await names()).some((name) => name.includes('tmp_pack_'))
  await expect.poll(isHalfThere, { timeout: 30_000 }).toBe(true)
  await killGitIn(directory)
  await program.end('SIGKILL')
  const next = await startedIn(settings)
  expect(await names()).toEqual(before)
  expect((await push(next)).said).toContain('remote: Live: ')
  await next.end('SIGTERM')
})
