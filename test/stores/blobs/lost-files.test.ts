/**
 * Files that the bucket has lost, on one node and two: what visitors and operators learn, and how deploying
 * again heals them.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { encodeDue } from '../../../src/stores/blobs/encode-due.ts'
import { createLosses } from '../../../src/stores/blobs/lost-objects.ts'
import { ObjectMissing } from '../../../src/stores/blobs/missing.ts'
import { createS3Client } from '../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../src/stores/blobs/s3/s3-store.ts'
import { newHome } from '../../cli/svc.ts'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import { sendRequest } from '../../roles/edge/client.ts'
import { createDatabase } from '../../support/databases.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { settingsOf } from '../../support/s3/settings.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { chunks, identityOf } from './conformance.ts'

const server = process.env.TEST_ON

let s3: S3Server
let node: TestNode
/** Another node of the installation, where that is possible. */
let other: TestNode
let team: TestTeam
let content: string
const cleanUps: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  s3 = await startS3()
  const database = server ? await createDatabase(server) : undefined
  const settings = {
    ...settingsOf(s3, ''),
    SVC_ROLES: 'api,edge',
    ...(database && { DATABASE_URL: database.url }),
  }
  node = await startTestNode(settings)
  other = database ? await startTestNode({ ...settings, SVC_ROLES: 'edge,api' }) : node
  cleanUps.push(async () => database?.drop(), node.stop)
  if (other !== node) cleanUps.push(other.stop)
  team = await newTeam(node)
})

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
  await s3.close()
})

beforeEach(() => {
  s3.fail(() => undefined)
  content = `${unique('content')} `.repeat(100)
})

const files = () => [{ path: 'index.html', content }]

/** Deploys the content; `lose` deletes its object behind the nodes' backs. */
async function deployed() {
  const { url } = await deploy(team, { files: files() })
  return { url, lose: () => lose(content) }
}

function lose(bytes: string): void {
  const key = [...s3.bucket.objects].find(([, stored]) => stored.bytes.toString() === bytes)?.[0]
  if (key === undefined || !s3.bucket.objects.delete(key)) expect.unreachable('it is stored')
}

/**
 * Deploys it again, which has to store it, also where another node has found it missing a moment ago, and
 * nobody has requested the file of this one.
 */
async function deployedAgain(): Promise<string> {
  const { url } = await deploy(team, { files: files() })
  expect([...s3.bucket.objects.values()].map(({ bytes }) => bytes.toString())).toContain(content)
  return url
}

/** The address of a deployment at a node. */
function at({ sitesUrl }: TestNode, url: string): string {
  const own = new URL(url)
  own.port = new URL(sitesUrl).port
  return own.href
}

it('a page in place of the bucket’s response stores nothing, and deploying again does', async () => {
  s3.fail((method) => (method === 'PUT' ? { page: 200 } : undefined))
  await expect(deployed()).rejects.toThrow('store_unavailable')
  s3.fail(() => undefined)
  const { url } = await deployed()
  expect(await visit(at(node, url))).toEqual({ status: 200, body: content })
})

it('a lost file is 500 at one node, and whole at all once it is deployed at another', async () => {
  const { url, lose } = await deployed()
  lose()
  const lost = await visit(at(other, url))
  expect(lost).toMatchObject({ status: 500, body: expect.stringContaining('has to be deployed again') })
  const again = await deployedAgain()
  expect(await visit(at(node, again))).toEqual({ status: 200, body: content })
  await expect.poll(() => visit(at(other, url))).toEqual({ status: 200, body: content })
})

it.each([
  ['shorter', (bytes: Buffer) => bytes.subarray(1)],
  ['longer', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
])(
  'a file that became %s is 503 at one node, and whole at all of them once it is deployed at another',
  async (_, change) => {
    const { url } = await deployed()
    const stored = [...s3.bucket.objects.values()].find(({ bytes }) => bytes.toString() === content)
    if (stored) stored.bytes = change(stored.bytes)
    expect((await visit(at(other, url))).status).toBe(503)
    const again = await deployedAgain()
    expect(await visit(at(node, again))).toEqual({ status: 200, body: content })
    await expect.poll(() => visit(at(other, url))).toEqual({ status: 200, body: content })
  },
)

it('a store believes nothing from before a loss that another one has found, also unnotified', async () => {
  const client = createS3Client(s3.address)
  cleanUps.push(client.close)
  const { store } = node.installation
  const [writer, reader] = [client, client].map((each) => createS3BlobStore(each, createLosses(store)))
  if (!writer || !reader) return expect.unreachable()
  const bytes = Buffer.from(content)
  const stored = await Promise.all(
    [bytes, Buffer.from(unique('kept'))].map(async (each) => {
      const object = await writer.put(team.id, identityOf(each), chunks(each))
      return { object, size: each.length }
    }),
  )
  // It doesn't know yet how many losses there were before.
  expect(await writer.findMissing(stored)).toEqual([])
  lose(content)
  const before = s3.requests.length
  expect(await writer.findMissing(stored)).toEqual([])
  expect(s3.requests).toHaveLength(before)
  const [lost] = stored
  await expect(reader.read(lost?.object ?? '')).rejects.toThrow(ObjectMissing)
  expect(await writer.findMissing(stored)).toEqual([lost?.object])
  const looked = s3.requests.length
  expect(await writer.findMissing(stored.slice(1))).toEqual([])
  expect(s3.requests).toHaveLength(looked)
})

it('a lost file that nobody has visited is deployed again after a check has named it', async () => {
  const { lose } = await deployed()
  lose()
  const { svc } = await newHome()
  const { SVC_DATA_DIR, DATABASE_URL, SVC_ENCRYPTION_KEY } = other.settings
  const env = {
    ...settingsOf(s3, ''),
    SVC_DATA_DIR,
    ...(DATABASE_URL && SVC_ENCRYPTION_KEY && { DATABASE_URL, SVC_ENCRYPTION_KEY }),
  }
  const { stdout, stderr } = await svc(['admin', 'check'], { env })
  expect(stdout + stderr).toContain('is missing')
  const again = await deployedAgain()
  expect(await visit(at(node, again))).toEqual({ status: 200, body: content })
})

it('a site whose file was healed by another site is whole again', async () => {
  // Not one that is read again in any case, as long as it isn't compressed.
  const plain = [{ path: 'file.bin', content }]
  const { url } = await deploy(team, { files: plain })
  const address = at(node, url)
  lose(content)
  expect((await visit(address, '/file.bin')).status).toBe(500)
  await deploy(team, { project: 'another', files: plain })
  await expect.poll(() => visit(address, '/file.bin')).toEqual({ status: 200, body: content })
})

it('a bucket that is away is 503, as before', async () => {
  const { url } = await deployed()
  s3.fail(() => ({ status: 503 }))
  expect((await visit(at(node, url))).status).toBe(503)
})

it('of a lost compressed form the file itself is sent', async () => {
  const { url } = await deployed()
  const { installation } = node
  const { signal } = new AbortController()
  while (
    await encodeDue({
      db: installation.store.db,
      blobs: installation.blobs,
      stopping: signal,
      nowMs: () => Date.now() + 1_000,
    })
  );
  const own = new Set([...s3.bucket.objects.keys()].filter((key) => key.startsWith('teams/')))
  for (const key of own)
    if (s3.bucket.objects.get(key)?.bytes.toString() !== content) s3.bucket.objects.delete(key)
  const { host, port } = new URL(at(node, url))
  const { status, text } = await sendRequest(Number(port), host, '/', { 'accept-encoding': 'br, gzip' })
  expect({ status, text }).toEqual({ status: 200, text: content })
})
