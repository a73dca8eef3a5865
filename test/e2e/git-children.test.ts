/** Processes of git end with their node, and what is left of them is ended by the next one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { pushOf, send } from '../platform/forges/steps.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { startForge } from '../support/git-forge.ts'
import { knowSecret } from '../support/kept-logs.ts'
import { newDataDirectory, startProgram } from '../support/program.ts'

vi.setConfig({ testTimeout: 120_000 })

/** The commands of the processes that work on a repository of the data directory. */
async function workingIn(directory: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async (id) => {
      const variables = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
      if (!variables.includes(`=${join(directory, 'git')}/`)) return []
      return [await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')]
    }),
  )
  return found.flat()
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
  const program = await startProgram(settings)
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
    (await workingIn(directory)).filter((command) => command.includes('remote-https'))
  await expect.poll(fetching, { timeout: 30_000 }).not.toEqual([])
  await program.end('SIGKILL')
  await expect.poll(() => workingIn(directory), { timeout: 10_000 }).toEqual([])

  const left = await leaveIn(directory)
  const other = await leaveIn(await newDataDirectory())
  forge.switches = {}
  const next = await startProgram(settings)
  await expect.poll(() => left.signalCode, { timeout: 30_000 }).toBe('SIGKILL')
  expect(other.signalCode).toBeNull()
  await expect.poll(next.stderr).toContain('Processes of git that an earlier node left: 1.')
  await next.end('SIGTERM')
})
