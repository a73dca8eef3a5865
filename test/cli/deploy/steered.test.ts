/**
 * A server that tells the command where to send files: it gets them itself, or the bucket of its presigned
 * URLs does.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { link, mkdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type HashedFile, hashFiles } from '../../../src/cli/deploy/hash-files.ts'
import { createDirectAgents, sendUpload, serverAgents } from '../../../src/cli/deploy/request-upload.ts'
import { walkSite } from '../../../src/cli/deploy/walk-site.ts'
import { isSite } from '../../../src/cli/terminal/browser.ts'
import { addressKind, allowedBy } from '../../../src/lib/net/address-kind.ts'
import { BlockedAddressError } from '../../../src/lib/net/vetted-lookup.ts'
import { newHome } from '../svc.ts'

type Seen = { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers'] }

/** An HTTP server, and the requests that it got, read to their ends. */
async function listen(answer: RequestListener): Promise<{ url: string; seen: Seen[]; bytes: () => number }> {
  const seen: Seen[] = []
  let bytes = 0
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    request
      .on('data', (piece: Buffer) => (bytes += piece.length))
      .once('end', () => {
        seen.push({ method, url, headers })
        answer(request, response)
      })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, bytes: () => bytes }
}

const puts = (seen: Seen[]) => seen.filter(({ method }) => method === 'PUT').map(({ url }) => url)

const digest = 'd'.repeat(64)
const uploadPath = `/uploads/${digest}?signature=s`

type Place = { upload_url: string; direct?: { url: string; headers: Record<string, string> } }

const deployment = {
  id: 'dpl_1',
  project: 'web',
  target: 'preview',
  state: 'ready',
  live: false,
  files: 1,
  bytes: 9,
  url: 'http://web.localhost',
  aliases: [],
  queue_position: null,
  error: null,
}

/** An API that lacks the file, and says that it belongs at `placeOf` its own address. */
async function startApi(placeOf: (url: string) => Place): Promise<{ url: string; seen: Seen[] }> {
  let calls = 0
  const api = await listen((request, response) => {
    if (request.method === 'PUT') return void response.end()
    calls += 1
    const place = { sha256: sha256OfZeros, size: fileBytes, ...placeOf(api.url) }
    const data = { code: 'BAD_REQUEST', reason: 'files_missing', message: 'missing', missing: [place] }
    response.setHeader('content-type', 'application/json')
    if (calls > 1) response.end(JSON.stringify({ result: { data: deployment } }))
    else response.writeHead(400).end(JSON.stringify({ error: { code: -32600, message: 'missing', data } }))
  })
  return api
}

/** Too large for the call itself. */
const fileBytes = 8 * 1024 * 1024
const sha256OfZeros = '2daeb1f36095b44b318410b3f4e8b5d989dcc7bb023d1426c492dab0a3053e74'

let svc: Awaited<ReturnType<typeof newHome>>['svc']
let site: string

beforeEach(async () => {
  const home = await newHome()
  svc = home.svc
  site = join(home.home, 'site')
  await mkdir(site)
  await writeFile(join(site, 'large'), '')
  await truncate(join(site, 'large'), fileBytes)
})

const deployTo = (url: string) =>
  svc(['deploy', site, '--project', 'web'], { env: { SVC_URL: url, SVC_TOKEN: 'svc_secret' } })

const signed = '/bucket/object?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=0a'
const checksum = { 'x-amz-checksum-sha256': 'AA==' }

describe('svc deploy sends files', () => {
  it('to the server that it was given, whatever host their addresses name', async () => {
    const other = await listen((_request, response) => response.end())
    const api = await startApi(() => ({ upload_url: `${other.url}${uploadPath}` }))
    expect(await deployTo(api.url)).toMatchObject({ code: 0 })
    expect(puts(api.seen)).toEqual([uploadPath])
    expect(other.seen).toEqual([])
  })

  it.each(['/v1/kv/evil', '/uploads/../v1/kv', '/uploads/a/b', ''])(
    'nowhere for an address that ends in %j',
    async (path) => {
      const other = await listen((_request, response) => response.end())
      const api = await startApi(() => ({ upload_url: `${other.url}${path}` }))
      expect(await deployTo(api.url)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no valid address'),
      })
      expect([...other.seen, ...puts(api.seen)]).toEqual([])
    },
  )

  it('to a bucket with a presigned URL, without the key', async () => {
    const bucket = await listen((_request, response) => response.end())
    const direct = { url: `${bucket.url}${signed}`, headers: checksum }
    const api = await startApi((url) => ({ upload_url: `${url}${uploadPath}`, direct }))
    expect(await deployTo(api.url)).toMatchObject({ code: 0 })
    expect(bucket.seen).toMatchObject([{ method: 'PUT', url: signed, headers: checksum }])
    expect(JSON.stringify(bucket.seen)).not.toContain('svc_secret')
    expect(puts(api.seen)).toEqual([])
  })

  it.each<[string, (url: string) => string, Record<string, string>]>([
    ['a host of its own choice', (url) => url + signed, { ...checksum, host: 'consul.internal' }],
    ['a credential', (url) => url + signed, { Authorization: 'Bearer x' }],
    ['a cookie', (url) => url + signed, { cookie: 'a=b' }],
    ['another framing', (url) => url + signed, { 'transfer-encoding': 'chunked' }],
    ['an address of a client', (url) => url + signed, { 'x-forwarded-for': '127.0.0.1' }],
    ['a line more', (url) => url + signed, { 'x-amz-meta-a': 'b\r\nhost: c' }],
    ['no signature', (url) => `${url}/v1/kv/evil`, {}],
    ['other parameters', (url) => `${url}${signed}&dc=1`, checksum],
    ['a user', (url) => url.replace('//', '//user:password@') + signed, checksum],
    ['a private host', () => `http://10.0.0.1${signed}`, checksum],
    ['a metadata service', () => `http://169.254.169.254${signed}`, checksum],
    ['a mapped one', () => `http://[::ffff:169.254.169.254]${signed}`, checksum],
  ])('to the server instead of a bucket with %s', async (_what, urlOf, headers) => {
    const other = await listen((_request, response) => response.end())
    const direct = { url: urlOf(other.url), headers }
    const api = await startApi((url) => ({ upload_url: `${url}${uploadPath}`, direct }))
    expect(await deployTo(api.url)).toMatchObject({ code: 0 })
    expect(other.seen).toEqual([])
    expect(puts(api.seen)).toEqual([uploadPath])
  })

  it('to the server instead of where a bucket redirects', async () => {
    const other = await listen((_request, response) => response.end())
    const bucket = await listen((_request, response) =>
      response.writeHead(307, { location: `${other.url}/v1/kv/evil` }).end(),
    )
    const direct = { url: `${bucket.url}${signed}`, headers: checksum }
    const api = await startApi((url) => ({ upload_url: `${url}${uploadPath}`, direct }))
    expect(await deployTo(api.url)).toMatchObject({ code: 0 })
    expect(other.seen).toEqual([])
  })

  it('and reads no more than the beginning of an answer', async () => {
    let written = 0
    const bucket = await listen((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) written += 65_536
      }
      response.on('drain', more)
      more()
    })
    const direct = { url: `${bucket.url}${signed}`, headers: checksum }
    const api = await startApi((url) => ({ upload_url: `${url}${uploadPath}`, direct }))
    expect(await deployTo(api.url)).toMatchObject({ code: 0 })
    expect(puts(api.seen)).toEqual([uploadPath])
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })
})

/** What the site has, as a deployment finds it. */
async function hashedFiles(): Promise<[HashedFile]> {
  const { signal } = new AbortController()
  const files = await hashFiles(await walkSite(site, signal), () => undefined, { signal, onDone: () => {} })
  return z.tuple([z.custom<HashedFile>()]).parse(files)
}

describe('a file that takes the place of another one before that is sent', () => {
  type Take = (path: string, size: number) => Promise<void>
  const secret = (size: number) => Buffer.alloc(size, 's')
  const keepTimes = (path: string) => utimes(path, 1_700_000_000, 1_700_000_000)
  const asFile: Take = async (path, size) => {
    await rename(path, `${path}.away`)
    await writeFile(path, secret(size))
    await keepTimes(path)
  }
  const asLink: Take = async (path, size) => {
    await rename(path, `${path}.away`)
    await writeFile(join(site, '../private'), secret(size))
    await keepTimes(join(site, '../private'))
    await symlink('../private', path)
  }
  const asPipe: Take = async (path) => {
    await rm(path)
    execFileSync('mkfifo', [path])
  }
  const asFolder: Take = async (path, size) => {
    const { mtime } = await stat(path)
    await rename(site, `${site}.away`)
    await mkdir(join(site, '../elsewhere'))
    await link(join(`${site}.away`, basename(path)), join(site, '../elsewhere', basename(path)))
    await symlink('elsewhere', site)
    expect(await stat(path)).toMatchObject({ mtime, size })
  }
  const inPlace: Take = async (path, size) => {
    await writeFile(path, secret(size))
    await keepTimes(path)
  }

  it.each([
    ['another file', asFile],
    ['a link', asLink],
    ['a pipe', asPipe],
    ['a link to its folder', asFolder],
    ['other content with the same times', inPlace],
  ])('is not sent: %s', async (_what, take) => {
    for (const size of [1_000, fileBytes]) {
      await rm(site, { recursive: true })
      await Promise.all(
        ['elsewhere', 'private'].map((name) => rm(join(site, '..', name), { recursive: true, force: true })),
      )
      await rm(`${site}.away`, { recursive: true, force: true })
      await mkdir(site)
      await writeFile(join(site, 'file'), Buffer.alloc(size, 'a'))
      await keepTimes(join(site, 'file'))
      const other = await listen((_request, response) => response.end())
      const [file] = await hashedFiles()
      await take(join(site, 'file'), size)
      const target = { url: other.url, headers: {}, agents: serverAgents, silenceMs: 60_000 }
      const sent = sendUpload(file, target, new AbortController().signal)
      await expect(sent).rejects.toThrow('file changed while it was read. Deploy again.')
      expect(other.seen).toEqual([])
      // Only reading all of it tells that the content of the same file is another.
      if (take !== inPlace) expect(other.bytes()).toBe(0)
    }
  })

  it('ends the deployment', async () => {
    const api = await startApi((url) => {
      renameSync(join(site, 'large'), join(site, 'away'))
      writeFileSync(join(site, 'large'), secret(fileBytes))
      return { upload_url: `${url}${uploadPath}` }
    })
    expect(await deployTo(api.url)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('large changed while it was read. Deploy again.'),
    })
    expect(puts(api.seen)).toEqual([])
  })
})

it('a name that leads to this machine is refused when it is looked up, for a server elsewhere', async () => {
  const other = await listen((_request, response) => response.end())
  const url = other.url.replace('127.0.0.1', 'localhost') + signed
  const [large] = await hashedFiles()
  const send = (peer: string) =>
    sendUpload(
      large,
      { url, headers: {}, agents: createDirectAgents(allowedBy(peer)), silenceMs: 60_000 },
      new AbortController().signal,
    )
  await expect(send('8.8.8.8')).rejects.toThrow(BlockedAddressError)
  await expect(send('10.0.0.1')).rejects.toThrow(BlockedAddressError)
  expect(other.seen).toEqual([])
})

it.each([
  ['8.8.8.8', 'public'],
  ['2606:4700::1', 'public'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['192.168.1.1', 'private'],
  ['fd12::1', 'private'],
  ['fe80::1%eth0', 'link-local'],
  ['100.64.0.1', 'shared'],
  ['169.254.169.254', undefined],
  ['fd00:ec2::254', undefined],
  ['100.100.100.200', undefined],
  ['168.63.129.16', undefined],
  ['0.0.0.0', undefined],
  ['64:ff9b::7f00:1', undefined],
  ['localhost', undefined],
])('the address %s is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind)
})

it.each([
  ['https://web.example.com', '8.8.8.8', true],
  ['http://web.localhost:8080', '127.0.0.1', true],
  ['http://web.localhost:8080', '8.8.8.8', false],
  ['http://web.localhost.:8080', undefined, false],
  ['http://2130706433', '8.8.8.8', false],
  ['http://192.168.0.1', '127.0.0.1', false],
  ['http://192.168.0.1', '192.168.0.9', true],
  ['http://[::1]', '8.8.8.8', false],
  ['https://web.example.com/delete?all', '8.8.8.8', false],
  ['https://a:b@web.example.com', '8.8.8.8', false],
  ['file:///etc/passwd', '127.0.0.1', false],
])('whether %s is opened in a browser, from a server at %s: %s', (url, peer, expected) => {
  expect(isSite(url, peer)).toBe(expected)
})
