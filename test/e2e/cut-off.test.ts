/** What is killed during an upload, a zip, a build or a backup leaves nothing after the next start. */
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rename } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'

vi.setConfig({ testTimeout: 120_000 })

const size = 8 * 1024 * 1024

async function startedIn(directory: string): Promise<Program> {
  const program = await startProgram({ SVC_DATA_DIR: directory, SVC_BUILD_SANDBOX: 'none' })
  onTestFinished(() => program.end('SIGKILL').then(() => {}))
  return program
}

/** Sends half of a body. */
function sendHalf(url: string, method: string, headers: Record<string, string>): ClientRequest {
  const sent = request(url, { method, headers: { ...headers, 'content-length': String(size) } })
  sent.on('error', () => {})
  onTestFinished(() => void sent.destroy())
  sent.write(Buffer.alloc(size / 2, 1))
  return sent
}

const missingSchema = z.object({ missing: z.tuple([z.object({ upload_url: z.string() })]) })

it('and what was acknowledged is there', async () => {
  const directory = await newDataDirectory()
  const program = await startedIn(directory)
  const authorization = `Bearer ${program.key}`
  const call = (to: Program, path: string, body?: unknown) =>
    fetch(`${to.apiUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  await fetch(`${program.apiUrl}/v1/projects/web`, { method: 'PUT', headers: { authorization } })
  const namesIn = async (name: string) => (await readdir(join(directory, name), { recursive: true })).sort()
  const rooms = ['blobs/incoming', 'zips', 'builds']

  const sha256 = createHash('sha256').update(Buffer.alloc(size, 1)).digest('hex')
  const files = [{ path: 'large.bin', sha256, size }]
  const wanted = await call(program, '/v1/deployments', { project: 'web', files })
  const [{ upload_url: url }] = missingSchema.parse(await wanted.json()).missing
  sendHalf(url, 'PUT', {})
  sendHalf(`${program.apiUrl}/v1/deployments?project=web`, 'POST', {
    authorization,
    'content-type': 'application/zip',
  })
  const built = await call(program, '/v1/deployments', {
    project: 'web',
    files: [{ path: 'index.html', content: 'page' }],
    build: { build_command: 'echo begun > begun && sleep 300', output_directory: '.' },
  })
  const { id } = z.object({ id: z.string() }).parse(await built.json())
  await expect.poll(() => namesIn('blobs/incoming'), { timeout: 30_000 }).toHaveLength(1)
  const isBuilding = async () => (await namesIn('builds')).some((name) => name.endsWith('/begun'))
  await expect.poll(isBuilding, { timeout: 60_000 }).toBe(true)
  await program.end('SIGKILL')
  const [left = '', ...others] = await namesIn('blobs/incoming')
  expect(others).toEqual([])
  // As if the machine, or the container, had been started again meanwhile: nobody can see who wrote it.
  const [tenure, boot, ...process] = left.split('.')
  if (process.length > 0) {
    const incoming = join(directory, 'blobs/incoming')
    await rename(join(incoming, left), join(incoming, [tenure, randomUUID(), ...process].join('.')))
    expect(boot).toMatch(/^[0-9a-f-]{36}$/)
  }

  const next = await startedIn(directory)
  await fetch(`${next.apiUrl}/v1/deployments/${id}`, { method: 'DELETE', headers: { authorization } })
  const rest = async () => (await Promise.all(rooms.map(namesIn))).flat()
  await expect.poll(rest, { timeout: 60_000 }).toEqual([])
  expect((await call(next, `/v1/deployments/${id}`)).status).toBe(200)
  await next.end('SIGTERM')
})

it('also of a backup, beside the database that it was copying', async () => {
  const directory = await newDataDirectory()
  const program = await startedIn(directory)
  const names = async () => (await readdir(directory)).sort()
  const place = await mkdtemp(join(inject('directory'), 'backups-'))
  const env = { PATH: process.env.PATH, HOME: place, SVC_DATA_DIR: directory }
  const backup = spawn(process.execPath, ['dist/svc.cjs', 'admin', 'backup', place], { env, stdio: 'ignore' })
  const ended = once(backup, 'exit')
  const copied = () => readdir(join(directory, 'backup/db')).catch(() => [])
  await expect.poll(copied, { timeout: 60_000, interval: 5 }).not.toEqual([])
  backup.kill('SIGKILL')
  await ended
  await program.end('SIGKILL')
  expect(await copied()).not.toEqual([])

  const next = await startedIn(directory)
  await expect.poll(names, { timeout: 60_000 }).not.toContain('backup')
  await next.end('SIGTERM')
})
