/** Deploying to a server whose files are in a bucket: which way large files take. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { visit } from '../platform/deployments/steps.ts'
import { startOwnNode } from '../stores/db/own-node.ts'
import type { TestNode } from '../support/node.ts'
import { type S3Server, startS3 } from '../support/s3/server.ts'
import { settingsOf } from '../support/s3/settings.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome } from './svc.ts'

let s3: S3Server
let node: TestNode
let team: TestTeam
let site: string
let run: Awaited<ReturnType<typeof newHome>>['svc']
let presigned: number

beforeAll(async () => {
  s3 = await startS3()
  node = await startOwnNode(settingsOf(s3, ''))
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const home = await newHome()
  run = home.svc
  site = join(home.home, 'site')
  await mkdir(site)
  for (let page = 0; page < pages; page += 1) await writeFile(join(site, `${page}.html`), content(page))
  presigned = 0
  s3.fail((_method, _key, isPresigned) => {
    presigned += Number(isPresigned)
    return undefined
  })
})

afterEach(() => s3.fail(() => undefined))

afterAll(async () => {
  await node.stop()
  await s3.close()
})

/** Seven of these are sent in the call that creates the deployment. */
const pages = 9
const content = (page: number) => `${page} ${team.id} ${'x'.repeat(1_000_000)}`

async function deploy(url = node.apiUrl): Promise<void> {
  const env = { SVC_URL: url, SVC_TOKEN: team.ownerKey }
  const { code, stdout, stderr } = await run(['deploy', site, '--project', 'web', '--json'], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const deployed = JSON.parse(stdout)
  for (const page of [0, pages - 1])
    expect(await visit(deployed.url, `/${page}.html`)).toEqual({ status: 200, body: content(page) })
}

const uploads = () => node.logged.filter((line) => line.includes('"/uploads/')).length

it('files that don’t fit into the call go straight to the bucket', async () => {
  const before = uploads()
  await deploy()
  // Whether the service can be trusted was tried with some of them.
  expect(presigned).toBeGreaterThanOrEqual(pages - 7)
  expect(uploads()).toBe(before)
})

/** The bucket can't be reached from where the command runs. */
async function deployWithout(fault: { status: number } | { hang: true }): Promise<void> {
  s3.fail((_method, key, isPresigned) => (isPresigned && !key.includes('probes/') ? fault : undefined))
  const before = uploads()
  await deploy()
  expect(uploads() - before).toBe(pages - 7)
}

it('files go through the node when the bucket refuses them', () => deployWithout({ status: 403 }))

it('files go through the node when the bucket doesn’t answer', { tags: 'long' }, () =>
  deployWithout({ hang: true }),
)

it('a server of an older version gets no field that it doesn’t know', async () => {
  const renamed = (text: string) => text.replace('"direct_uploads"', '"of_later"')
  const bodies: string[] = []
  const old = createServer(async (incoming, outgoing) => {
    const body = (await buffer(incoming)).toString()
    if (incoming.method === 'POST') bodies.push(body)
    const headers = { ...incoming.headers, 'content-length': String(Buffer.byteLength(renamed(body))) }
    const { method } = incoming
    const onward = request(new URL(incoming.url ?? '', node.apiUrl), { method, headers }, async (answer) => {
      const text = (await buffer(answer)).toString().replaceAll('of_later', 'direct_uploads')
      outgoing.writeHead(answer.statusCode ?? 0, { 'content-type': 'application/json' }).end(text)
    })
    onward.end(renamed(body))
  }).listen(0, '127.0.0.1')
  await once(old, 'listening')
  await deploy(`http://127.0.0.1:${(old.address() as AddressInfo).port}`)
  expect(bodies.map((body) => body.includes('direct_uploads'))).toEqual([true, false, false])
  await new Promise((resolve) => old.close(resolve))
})
