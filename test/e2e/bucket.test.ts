/**
 * Nodes whose files are in a bucket: one takes deployments, another serves sites.
 * @module-tag long
 */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newHome } from '../cli/svc.ts'
import { byDigest, sha256, upload } from '../platform/deployments/steps.ts'
import type { Answer } from '../support/api.ts'
import { createEmptyDatabase } from '../support/databases.ts'
import { postgresUrl } from '../support/postgres.ts'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'
import { type S3Server, startS3 } from '../support/s3/server.ts'
import { settingsOf } from '../support/s3/settings.ts'

const server = await postgresUrl()

describe.runIf(server)('nodes of different roles on one bucket', () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  let s3: S3Server
  let environment: Record<string, string>
  let api: Program
  let edge: Program
  let key: string

  async function newNode(changes: Record<string, string>): Promise<Program> {
    const directory = await newDataDirectory()
    cleanUps.push(() => rm(directory, { recursive: true, force: true }))
    const node = await startProgram({ ...environment, SVC_DATA_DIR: directory, ...changes })
    cleanUps.push(() => node.end('SIGTERM'))
    return node
  }

  beforeAll(async () => {
    const database = await createEmptyDatabase(server ?? '')
    cleanUps.push(() => database.drop())
    s3 = await startS3()
    cleanUps.push(() => s3.close())
    environment = {
      DATABASE_URL: database.url,
      SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      ...settingsOf(s3, 'sites'),
    }
    api = await newNode({ SVC_ROLES: 'api,worker' })
    edge = await newNode({ SVC_ROLES: 'edge' })
    key = api.key ?? ''
  })

  afterEach(() => s3.fail(() => undefined))

  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(api.apiUrl + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const { status, headers: received } = response
    return { status, headers: received, body: (await response.json()) as Answer['body'] }
  }

  /** Deploys to production; the files are uploaded as clients do. */
  async function deploy(project: string, files: Record<string, string>): Promise<void> {
    await call('PUT', `/v1/projects/${project}`)
    const listed = Object.entries(files).map(([path, content]) => byDigest(path, content))
    const body = { project, target: 'production', files: listed }
    const first = await call('POST', '/v1/deployments', body)
    const contents = new Map(Object.values(files).map((content) => [sha256(content), content]))
    for (const { sha256: digest, upload_url } of first.body.missing ?? [])
      expect((await upload(upload_url, contents.get(digest) ?? '')).status).toBe(200)
    const second = await call('POST', '/v1/deployments', body)
    expect(second).toMatchObject({ status: 200, body: { state: 'ready' } })
  }

  const page = (project: string, path = '/') => visit(edge.siteUrl(project) + path)
  const large = randomBytes(1_000_000).toString('hex')

  it('a deployment that one takes is served by the other', async () => {
    await deploy('one', { 'index.html': 'hello', 'large.txt': large })
    expect(await page('one')).toMatchObject({ status: 200, text: 'hello' })
    expect(await page('one', '/large.txt')).toMatchObject({ status: 200, text: large })
    expect([...s3.bucket.objects.keys()].every((name) => name.startsWith('sites/'))).toBe(true)
  })

  it('while the bucket is away, the edge serves what it has, the API refuses deployments', async () => {
    await deploy('away', { 'index.html': 'here', 'other.html': 'not read yet' })
    expect((await page('away')).text).toBe('here')
    s3.fail(() => ({ status: 500 }))
    expect(await page('away')).toMatchObject({ status: 200, text: 'here' })
    expect((await page('away', '/other.html')).status).toBe(503)
    const inline = { project: 'away', files: [{ path: 'index.html', content: 'new' }] }
    const refused = await call('POST', '/v1/deployments', inline)
    expect(refused).toMatchObject({ status: 503, body: { reason: 'store_unavailable' } })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await call('GET', '/v1/projects')).status).toBe(200)
    s3.fail(() => undefined)
    expect((await page('away', '/other.html')).text).toBe('not read yet')
    expect((await call('POST', '/v1/deployments', inline)).status).toBe(200)
  })

  it('an upload that breaks off leaves nothing', async () => {
    const content = 'x'.repeat(2_000_000)
    await call('PUT', '/v1/projects/broken')
    const files = [byDigest('index.html', content)]
    const first = await call('POST', '/v1/deployments', { project: 'broken', files })
    const [{ upload_url }] = first.body.missing
    const breaking = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(content.slice(0, 1_000_000)))
        setTimeout(() => controller.error(new Error('broken off')), 100)
      },
    })
    const headers = { 'content-length': String(content.length) }
    const init = { method: 'PUT', body: breaking, headers, duplex: 'half' as const }
    await expect(fetch(upload_url, init)).rejects.toThrow()
    expect([...s3.bucket.objects.keys()].filter((name) => name.includes(sha256(content)))).toEqual([])
  })

  it.each([
    [
      'without the bucket',
      { SVC_BLOBS: '', SVC_S3_ENDPOINT: '', SVC_S3_ACCESS_KEY_ID: '' },
      'Set SVC_BLOBS=s3://blobs/sites/',
    ],
    ['with another bucket', { SVC_BLOBS: 's3://blobs/other' }, 'Set SVC_BLOBS=s3://blobs/sites/'],
    [
      'with a wrong secret',
      { SVC_S3_SECRET_ACCESS_KEY: 'wrong' },
      /s3:\/\/blobs\/sites\/ .*403 SignatureDoesNotMatch.*SVC_S3_/,
    ],
  ])('a node %s is refused, with what to do', async (_, changes, message) => {
    await expect(newNode(changes)).rejects.toThrow(message)
  })

  it('a name server needs no bucket', async () => {
    const dns = await newNode({
      SVC_ROLES: 'dns',
      SVC_DNS_PORT: '0',
      SVC_BLOBS: '',
      SVC_S3_ENDPOINT: '',
      SVC_S3_ACCESS_KEY_ID: '',
    })
    expect(dns.stdout()).toMatch(/^svc is ready\. DNS: port \d+$/m)
  })
})

describe('one node on the embedded database', () => {
  let s3: S3Server
  let directory: string
  let nodes: Program[] = []

  beforeEach(async () => {
    s3 = await startS3()
    directory = await newDataDirectory()
  })

  afterEach(async () => {
    for (const node of nodes) await node.end('SIGKILL')
    nodes = []
    await rm(directory, { recursive: true, force: true })
    await s3.close()
  })

  async function start(settings: Record<string, string>): Promise<Program> {
    const node = await startProgram({ SVC_DATA_DIR: directory, ...settings })
    nodes.push(node)
    return node
  }

  /** The first content is the site's page. */
  async function deploy(
    { apiUrl }: Program,
    key: string | undefined,
    contents: string | string[],
  ): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    await fetch(`${apiUrl}/v1/projects/site`, { method: 'PUT', headers })
    const files = [contents]
      .flat()
      .map((content, at) => ({ path: at === 0 ? 'index.html' : `${at}.html`, content }))
    const body = { project: 'site', target: 'production', files }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    expect((await fetch(`${apiUrl}/v1/deployments`, init)).status).toBe(200)
  }

  const page = async (node: Program) => (await visit(node.siteUrl('site'))).text

  it('keeps its files in a bucket, and has them after a kill', async () => {
    const first = await start(settingsOf(s3, ''))
    await deploy(first, first.key, 'hello')
    await first.end('SIGKILL')
    expect(await page(await start(settingsOf(s3, '')))).toBe('hello')
  })

  /** `svc admin blobs`, beside the nodes. */
  async function admin() {
    const { svc } = await newHome()
    const { SVC_BLOBS, ...access } = settingsOf(s3, 'sites')
    const env = { SVC_DATA_DIR: directory, ...access }
    return { env, svc, run: (...args: string[]) => svc(['admin', 'blobs', ...args], { env }), SVC_BLOBS }
  }

  it('moves into a bucket, copying while it runs', async () => {
    const { run, SVC_BLOBS } = await admin()
    const bucket = settingsOf(s3, 'sites')
    const onFiles = await start({})
    const key = onFiles.key
    await deploy(onFiles, key, 'one')
    expect((await run('copy', 'files', SVC_BLOBS)).stdout).toMatch(
      /^Copied 1 of 1 files \(3 B\) from .* to s3:/,
    )
    await deploy(onFiles, key, 'two')
    await onFiles.end('SIGTERM')
    await expect(start(bucket)).rejects.toThrow(
      'Of 2 files that this database references, 1 exists in s3://blobs/sites/',
    )
    expect((await run('copy', 'files', SVC_BLOBS)).stdout).toContain('Copied 1 of 2 files')
    expect(await page(await start(bucket))).toBe('two')
  })

  it('moves back into files', async () => {
    const { run, SVC_BLOBS } = await admin()
    const onBucket = await start(settingsOf(s3, 'sites'))
    await deploy(onBucket, onBucket.key, 'one')
    await onBucket.end('SIGTERM')
    expect(JSON.parse((await run('copy', SVC_BLOBS, 'files', '--json')).stdout)).toMatchObject({
      from: 's3://blobs/sites/',
      copied: 1,
      objects: 1,
    })
    await expect(start({})).rejects.toThrow('svc admin blobs adopt')
    expect((await run('adopt', '--yes')).code).toBe(0)
    expect(await page(await start({}))).toBe('one')
  })

  describe('a copy that is killed', () => {
    const files = 60
    const contents = Array.from({ length: files }, (_, at) => `file ${at}`)

    const inBucket = async () => [...s3.bucket.objects.keys()].filter((key) => key.includes('/teams/'))
    const inDirectory = async () => {
      const names = await readdir(join(directory, 'blobs/teams'), { recursive: true }).catch(() => [])
      return names.filter((name) => name.includes('/'))
    }

    /** Starts a copy as a process of its own, and kills it once ten more files are at its end. */
    async function kill(from: string, to: string, found: () => Promise<string[]>): Promise<void> {
      const { svc, env } = await admin()
      const before = (await found()).length
      // So that it takes long enough to be killed in the middle of it.
      s3.fail(() => ({ delayMs: 150 }))
      let child: ChildProcess | undefined
      const started = (process: ChildProcess) => {
        child = process
      }
      const copying = svc(['admin', 'blobs', 'copy', from, to], { env, started })
      const count = async () => (await found()).length
      await expect.poll(count, { interval: 5 }).toBeGreaterThan(before + 10)
      child?.kill('SIGKILL')
      await copying
      s3.fail(() => undefined)
      expect(await count()).toBeLessThan(files)
    }

    it('into a bucket, while a node deploys, is continued by the next', { tags: 'long' }, async () => {
      const { run, SVC_BLOBS } = await admin()
      const node = await start({})
      await deploy(node, node.key, contents)
      await kill('files', SVC_BLOBS, inBucket)
      await deploy(node, node.key, ['another', ...contents])
      await kill('files', SVC_BLOBS, inBucket)
      await node.end('SIGTERM')
      expect((await run('copy', 'files', SVC_BLOBS)).stdout).toContain(`of ${files + 1} files`)
      for (const name of await inBucket())
        expect(name).toContain(`/${sha256(s3.bucket.objects.get(name)?.bytes ?? '')}-`)
      const onBucket = await start(settingsOf(s3, 'sites'))
      expect(await page(onBucket)).toBe('another')
      for (const [at, content] of contents.entries())
        expect((await visit(`${onBucket.siteUrl('site')}/${at + 1}`)).text).toBe(content)
    })

    it('into files is continued by the next', { tags: 'long' }, async () => {
      const { run, SVC_BLOBS } = await admin()
      const node = await start(settingsOf(s3, 'sites'))
      await deploy(node, node.key, contents)
      await kill(SVC_BLOBS, 'files', inDirectory)
      expect((await run('copy', SVC_BLOBS, 'files')).stdout).toContain(`of ${files} files`)
      for (const name of await inDirectory())
        expect(name).toContain(`/${sha256(await readFile(join(directory, 'blobs/teams', name)))}-`)
      expect(await inDirectory()).toHaveLength(files)
    })
  })

  it('is not mixed with another installation’s files, nor copied from nothing', async () => {
    const { run, SVC_BLOBS } = await admin()
    const copy = (from: string, to: string) => run('copy', from, to)
    expect(await copy('files', SVC_BLOBS)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There are no files'),
    })
    await (await start({})).end('SIGTERM')
    s3.bucket.objects.set('sites/installation', {
      bytes: Buffer.from('another\n'),
      etag: '"x"',
      modifiedMs: 0,
    })
    expect((await copy('files', SVC_BLOBS)).stderr).toContain('belong to installation another')
    expect((await copy('files', 'files')).stderr).toContain('Both are the same place')
    expect((await copy('files', 'bucket')).stderr).toContain('SVC_BLOBS should be a bucket')
  })
})
