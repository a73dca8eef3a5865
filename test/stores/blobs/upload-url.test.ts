import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { signUploadUrl, verifyUpload } from '../../../src/stores/blobs/upload-url.ts'
import { sha256, upload } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

const content = 'hello'

let node: TestNode
let uploadKey: Buffer
let blob: { teamId: string; sha256: string; size: number }

beforeAll(async () => {
  node = await sharedNode()
  uploadKey = node.installation.keys.uploads
  const { id: teamId } = await newTeam(node)
  blob = { teamId, sha256: sha256(content), size: content.length }
})
const minuteMs = 60_000

function urlAt(nowMs = Date.now(), key = uploadKey): URL {
  return new URL(signUploadUrl({ apiUrl: node.apiUrl, uploadKey: key }, blob, nowMs))
}

/** The URL with one thing changed. */
function changed(change: (url: URL) => void): string {
  const url = urlAt()
  change(url)
  return url.href
}

const set = (name: string, value: string) => changed((url) => url.searchParams.set(name, value))

describe('an upload URL', () => {
  it('accepts those bytes', async () => {
    expect((await upload(urlAt().href, content)).status).toBe(200)
  })

  it('is valid for 15 minutes', async () => {
    expect((await upload(urlAt(Date.now() - 14 * minuteMs).href, content)).status).toBe(200)
    const late = await upload(urlAt(Date.now() - 15 * minuteMs - 1).href, content)
    expect(late.status).toBe(401)
    expect(late.body.reason).toBe('upload_url_invalid')
  })

  it('contains no secret', () => {
    const { pathname, searchParams } = urlAt()
    expect(pathname).toBe(`/uploads/${blob.sha256}`)
    expect([...searchParams.keys()]).toEqual(['team', 'size', 'expires', 'signature'])
  })

  const another = newId('team', Date.now())
  it.each<[string, () => string]>([
    ['another team', () => set('team', another)],
    ['another size', () => set('size', '6')],
    ['a later expiry', () => set('expires', String(Date.now() + 60 * minuteMs))],
    ['no end', () => changed((url) => url.searchParams.delete('expires'))],
    ['an expiry beyond all numbers', () => set('expires', '9'.repeat(400))],
    ['another digest', () => changed((url) => (url.pathname = `/uploads/${sha256('other')}`))],
    [
      'a digest in capitals',
      () => changed((url) => (url.pathname = `/uploads/${blob.sha256.toUpperCase()}`)),
    ],
    ['an invalid digest', () => changed((url) => (url.pathname = '/uploads/..%2f..%2fetc'))],
    ['another signature', () => set('signature', 'A'.repeat(43))],
    ['a truncated signature', () => changed((url) => url.searchParams.set('signature', 'A'.repeat(42)))],
    ['no signature', () => changed((url) => url.searchParams.delete('signature'))],
    ['the signature of another key', () => urlAt(Date.now(), Buffer.alloc(32, 1)).href],
    ['an extra parameter', () => set('more', 'x')],
    ['a repeated parameter', () => changed((url) => url.searchParams.append('size', '5'))],
    ['no query', () => changed((url) => (url.search = ''))],
  ])('401 upload_url_invalid with %s', async (_, url) => {
    const { status, body } = await upload(url(), content)
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'UNAUTHORIZED', reason: 'upload_url_invalid' })
    expect(JSON.stringify(body)).not.toContain(urlAt().searchParams.get('signature'))
  })

  it('contains its parameters', () => {
    const url = urlAt(1_000)
    const query = Object.fromEntries(url.searchParams)
    const grant = verifyUpload(uploadKey, { sha256: blob.sha256 }, query, 2_000)
    expect(grant).toEqual({ ...blob, expiresMs: 1_000 + 15 * minuteMs })
  })
})

it('never appears in the log with its signature', async () => {
  const url = urlAt()
  await upload(url.href, content)
  const log = node.logged.join('\n')
  expect(log).toContain('/uploads/')
  expect(log).not.toContain(url.searchParams.get('signature'))
})
