/**
 * Applications with a server, deployed by the command from their sources: the platform installs, tries and
 * runs them.
 * @module-tag long
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { newDataDirectory, type Program, startProgram } from '../../support/program.ts'
import { type Application, applications } from './applications.ts'
import { send, speak } from './visitor.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const execute = promisify(execFile)

/** A Node.js of another version, from the registry. */
async function fetchNode(version: string): Promise<string> {
  const prefix = await mkdtemp(join(inject('directory'), 'node-'))
  const name = `node-linux-${process.arch}@${version}`
  await execute('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', prefix, name])
  return join(prefix, 'node_modules', `node-linux-${process.arch}`, 'bin/node')
}

/** The folder of an application as its author leaves it. */
async function begin({ name, packages, files, manifest }: Application): Promise<string> {
  const folder = join(await mkdtemp(join(inject('directory'), 'application-')), name)
  await execute('mkdir', [folder])
  await execute('npm', ['init', '-y'], { cwd: folder })
  await execute('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder })
  const path = join(folder, 'package.json')
  const written = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...written, ...manifest }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

const authority = process.env.NODE_EXTRA_CA_CERTS

describe.each(['20', '24'])('on Node.js %s', (version) => {
  let program: Program
  let home: string

  beforeAll(async () => {
    home = await newDataDirectory()
    const own = process.versions.node.split('.')[0] === version
    program = await startProgram({
      SVC_DATA_DIR: join(home, 'data'),
      SVC_NODE: own ? process.execPath : await fetchNode(version),
      SVC_BUILD_NETWORK: 'registries',
      // A mirror of the registry may have a private address, and an authority of its own.
      SVC_RESOLVE_PRIVATE: '1',
    })
  })
  afterAll(() => program.end('SIGTERM'))

  async function svc(args: string[], cwd = home): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: home, SVC_URL: program.apiUrl, SVC_TOKEN: program.key }
    const { stdout } = await execute(process.execPath, [resolve('dist/svc.cjs'), ...args], { env, cwd })
    return stdout
  }

  describe.each(applications)('$name', (application) => {
    const { name } = application
    let url: string

    beforeAll(async () => {
      const folder = await begin(application)
      await svc(['projects', 'add', name])
      if (authority !== undefined) {
        for (const key of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])
          await svc(['env', 'set', `${key}=${authority}`, '--project', name])
      }
      const made = JSON.parse(await svc(['deploy', '--project', name, '--prod', '--json'], folder))
      expect(made).toMatchObject({ live: true, state: 'ready', server: { state: 'stopped' } })
      url = program.siteUrl(name)
    })

    it('renders a page', async () => {
      expect(await send(url, '/')).toMatchObject({ status: 200, text: `<h1>Made by ${name}</h1>` })
    })

    it('learns of the visitor, and runs on that version', async () => {
      const { text } = await send(url, '/api/facts')
      const node = expect.stringMatching(new RegExp(`^v${version}\\.`))
      expect(JSON.parse(text)).toEqual({ host: new URL(url).host, proto: 'http', node })
    })

    it('takes a form, sets a cookie, and leads on', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await send(url, '/form', { method: 'POST', headers, body: 'name=Ada' })
      expect(answer.status).toBe(303)
      expect(answer.headers).toMatchObject({
        location: '/welcome',
        'set-cookie': [expect.stringMatching(/^name=Ada/)],
      })
    })

    it('takes a body of 5 MB', async () => {
      const body = Buffer.alloc(5_000_000, 'x')
      const headers = { 'content-type': 'application/octet-stream' }
      expect(await send(url, '/length', { method: 'POST', headers, body })).toMatchObject({
        status: 200,
        text: '5000000',
      })
    })

    it('streams an answer as it comes', async () => {
      const begunMs = performance.now()
      const { text, firstMs } = await send(url, '/stream')
      expect(text).toMatch(/^data: first\n\ndata: last/)
      expect(performance.now() - begunMs - firstMs).toBeGreaterThan(200)
    })

    it('speaks on a WebSocket', async () => {
      expect(await speak(url, '/socket', 'hello')).toBe('you said hello')
    })

    it('shows nobody its files', async () => {
      for (const path of ['/package.json', '/node_modules/ws/package.json', '/index.js', '/Procfile'])
        expect(await send(url, path)).toMatchObject({ status: 404 })
    })

    it('has its lines in the log', async () => {
      await expect
        .poll(() => svc(['logs', '--project', name, '--kind', 'runtime']), { timeout: 20_000 })
        .toContain(`${name} is ready`)
    })
  })
})
