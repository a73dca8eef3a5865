/**
 * Two nodes on the S3 service of Ceph: uploads, a lost object, an outage, a backup and its restore.
 * @module-tag long
 */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createS3Client } from '../../src/stores/blobs/s3/client.ts'
import { deleteObject, listObjects } from '../../src/stores/blobs/s3/objects.ts'
import { newHome, svcWith } from '../cli/svc.ts'
import { newPlace } from '../operate/backup/backed-up.ts'
import { newSurroundings, type Surroundings, startOn } from '../operate/backup/places.ts'
import { byDigest, deploy, sha256, upload, visit, visitBytes } from '../platform/deployments/steps.ts'
import type { TestNode } from '../support/node.ts'
import { type Radosgw, startRadosgw } from '../support/s3/radosgw.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { isInstalled } from './needs.ts'

const mebibyte = 1024 * 1024
const patienceMs = 120_000

describe.runIf(isInstalled('Ceph') && process.env.TEST_ON)('on the S3 service of Ceph', () => {
  let service: Radosgw
  let one: Surroundings
  let node: TestNode
  let other: TestNode
  let team: TestTeam

  beforeAll(async () => {
    service = await startRadosgw()
    one = await newSurroundings({ s3: service })
    node = await startOn(one)
    other = await startOn({ ...one, env: { ...one.env, SVC_DATA_DIR: `${one.env.SVC_DATA_DIR}-other` } })
    team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
  }, patienceMs)

  afterAll(async () => {
    for (const each of [other, node]) await each.stop()
    await one.drop()
    await service.close()
  })

  const at = ({ sitesUrl }: TestNode, url: string) =>
    Object.assign(new URL(url), { port: new URL(sitesUrl).port }).href

  const wanted = (path: string, bytes: Buffer) => ({ path, sha256: sha256(bytes), size: bytes.length })

  /** The request that names files without sending them. */
  const request = (files: unknown[], more = {}) =>
    team.owner('POST', '/v1/deployments', { project: 'web', files, ...more })

  async function lose(content: string): Promise<void> {
    const client = createS3Client({
      ...service.address,
      prefix: (one.env.SVC_BLOBS ?? '').split('/').at(-1) ?? '',
    })
    for await (const page of listObjects(client, ''))
      for (const { key } of page) if (key.includes(sha256(content))) await deleteObject(client, key)
    await client.close()
  }

  it('`svc deploy` sends files straight to it', { timeout: patienceMs }, async () => {
    const site = await mkdtemp(join(inject('directory'), 'site-'))
    await mkdir(join(site, 'a'))
    const bytes = randomBytes(8 * mebibyte + 1)
    await writeFile(join(site, 'large.bin'), bytes)
    await writeFile(join(site, 'a/index.html'), 'hello')
    const svc = await svcWith(node, team.ownerKey)
    const { code, stdout, stderr } = await svc(['deploy', site, '--project', 'sent', '--json'])
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    const { url } = JSON.parse(stdout)
    expect((await visitBytes(at(other, url), '/large.bin')).bytes.equals(bytes)).toBe(true)
  })

  it('a large upload through a node goes in parts', { timeout: patienceMs }, async () => {
    const bytes = randomBytes(65 * mebibyte)
    const { body } = await request([wanted('large.bin', bytes)])
    expect((await upload(body.missing[0].upload_url, bytes)).status).toBe(200)
    const { body: made } = await request([wanted('large.bin', bytes)])
    expect((await visitBytes(at(other, made.url), '/large.bin')).bytes.equals(bytes)).toBe(true)
  })

  it('wrong bytes are stored neither through a node nor straight', async () => {
    const bytes = randomBytes(300_000)
    const { body } = await request([wanted('file.bin', bytes)], { direct_uploads: true })
    const [{ upload_url, direct }] = body.missing
    const wrong = Buffer.from(bytes)
    wrong.writeUInt8(wrong.readUInt8(9) ^ 1, 9)
    expect(await upload(upload_url, wrong)).toMatchObject({
      status: 400,
      body: { reason: 'digest_mismatch' },
    })
    const sent = await fetch(direct.url, { method: 'PUT', headers: direct.headers, body: wrong })
    expect(sent.status).toBeGreaterThanOrEqual(400)
    expect((await request([wanted('file.bin', bytes)])).body.reason).toBe('files_missing')
  })

  it('an object that it lost is named, and stored again by the next deployment', {
    timeout: patienceMs,
  }, async () => {
    const content = randomBytes(5_000).toString('hex')
    const files = [byDigest('index.html', content)].map((file) => ({ ...file, content }))
    const { url } = await deploy(team, { files: [{ path: 'index.html', content }] })
    await lose(content)
    expect(await visit(at(other, url))).toMatchObject({
      status: 500,
      body: expect.stringContaining('missing'),
    })
    const { svc } = await newHome()
    const check = () => svc(['admin', 'check', '--deep'], { env: one.env })
    expect((await check()).stdout).toContain(sha256(content))
    const again = await deploy(team, { files: files.map(({ path }) => ({ path, content })) })
    for (const each of [node, other])
      expect(await visit(at(each, again.url))).toEqual({ status: 200, body: content })
    expect((await check()).stdout).toBe('Nothing is wrong.\n')
  })

  it('while it is down, cached files are served and others are 503, and it comes back', {
    timeout: patienceMs,
  }, async () => {
    const deployed = await Promise.all(
      ['one', 'two'].map((content) =>
        deploy(team, { project: content, files: [{ path: 'index.html', content }] }),
      ),
    )
    const [cached = '', cold = ''] = deployed.map(({ url }) => at(other, url))
    expect((await visit(cached)).status).toBe(200)
    await service.stop()
    expect((await visit(cached)).status).toBe(200)
    expect((await visit(cold)).status).toBe(503)
    await service.start()
    await expect.poll(() => visit(cold)).toEqual({ status: 200, body: 'two' })
  })

  it('a backup in it is restored into another database and another prefix', {
    timeout: patienceMs,
  }, async () => {
    const { svc } = await newHome()
    const backups = `s3://${service.address.bucket}/${(await newPlace()).split('/').at(-1)}`
    expect(await svc(['admin', 'backup', backups, '--with-key'], { env: one.env })).toMatchObject({ code: 0 })
    const into = await newSurroundings({ s3: service })
    const restored = await svc(['admin', 'restore', backups], { env: into.env })
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored backup') })
    const check = await svc(['admin', 'check', '--deep'], { env: into.env })
    await into.drop()
    expect(check).toMatchObject({ code: 0, stdout: 'Nothing is wrong.\n' })
  })
})
