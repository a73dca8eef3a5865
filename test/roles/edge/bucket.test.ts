/** Sites whose files are in a bucket: what visitors get of a file that is missing there, or damaged. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploy } from '../../platform/deployments/steps.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { settingsOf } from '../../support/s3/settings.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let s3: S3Server
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  s3 = await startS3()
  node = await startOwnNode(settingsOf(s3, ''))
  team = await newTeam(node)
})

afterAll(async () => {
  await node.stop()
  await s3.close()
})

/** The status and the bytes of a response; no bytes when it breaks off. */
async function visit(url: string, headers: Record<string, string> = {}) {
  const { host, port, pathname } = new URL(url)
  return new Promise<{ status: number; bytes?: Buffer }>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: pathname, headers: { host, ...headers } },
      (response) => {
        const status = response.statusCode ?? 0
        buffer(response).then(
          (bytes) => resolve({ status, bytes }),
          () => resolve({ status }),
        )
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

const range = { range: 'bytes=100-1999' }

describe.each([
  ['small', 10_000],
  ['large', 3_000_000],
])('a %s file', (_, size) => {
  async function deployed() {
    const content = `${unique('content')}${randomBytes(size / 2).toString('hex')}`
    const { url } = await deploy(team, { files: [{ path: 'file.bin', content }] })
    const stored = [...s3.bucket.objects].find(([, { bytes }]) => bytes.equals(Buffer.from(content)))
    if (!stored) return expect.unreachable('it is stored')
    const [key, object] = stored
    return { content: Buffer.from(content), url: `${url}/file.bin`, key, object }
  }

  it.each([
    ['whole', {}],
    ['as a range', range],
  ])(
    'that is damaged in the bucket is never served %s, and is again once it is mended',
    async (_, headers) => {
      const { content, url, key, object } = await deployed()
      const damaged = Buffer.from(object.bytes)
      damaged.writeUInt8(damaged.readUInt8(150) ^ 1, 150)
      s3.bucket.objects.set(key, { ...object, bytes: damaged })
      const { status, bytes } = await visit(url, headers)
      if (status < 500) expect(bytes).toBeUndefined()
      s3.bucket.objects.set(key, object)
      const mended = await visit(url, headers)
      expect(mended.bytes?.equals('range' in headers ? content.subarray(100, 2_000) : content)).toBe(true)
    },
  )

  it('that is missing in the bucket is 500, and is served again once it is back', async () => {
    const { content, url, key, object } = await deployed()
    s3.bucket.objects.delete(key)
    for (const headers of [{}, range]) {
      const { status, bytes } = await visit(url, headers)
      expect({ status, text: String(bytes) }).toMatchObject({
        status: 500,
        text: expect.stringContaining('is missing in its store'),
      })
    }
    s3.bucket.objects.set(key, object)
    expect((await visit(url)).bytes?.equals(content)).toBe(true)
  })
})
