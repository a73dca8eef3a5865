import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byDigest } from '../../platform/deployments/steps.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startTestNode({
    SVC_MAX_FILES: '3',
    SVC_MAX_FILE_BYTES: '100',
    SVC_MAX_DEPLOYMENT_BYTES: '250',
    SVC_MAX_JSON_BYTES: '2000',
  })
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

afterAll(() => node.stop())

const create = (files: unknown[], meta = {}) =>
  team.owner('POST', '/v1/deployments', { project: 'web', files, meta })

function files(count: number, size: number) {
  return Array.from({ length: count }, (_, i) => ({ path: `${i}`, content: 'x'.repeat(size) }))
}

describe('the configured caps', () => {
  it.each([
    ['as many files as allowed', files(3, 1)],
    ['the largest file allowed', files(1, 100)],
    ['as many bytes as allowed', [...files(2, 100), { path: 'rest', content: 'x'.repeat(50) }]],
  ])('accept %s', async (_, given) => {
    expect((await create(given)).status).toBe(200)
  })

  it.each<[string, unknown[], string, string]>([
    ['a file too many', files(4, 1), 'files', '3'],
    ['a file too large', files(1, 101), 'files.0.content', '100'],
    [
      'a file too large in base64',
      [{ path: 'a', content_base64: Buffer.alloc(101).toString('base64') }],
      'files.0.content_base64',
      '100',
    ],
    ['a file too large by digest', [byDigest('a', 'x'.repeat(101))], 'files.0.size', '100'],
    [
      'a byte too many in total',
      [...files(2, 100), { path: 'rest', content: 'x'.repeat(51) }],
      'files',
      '250',
    ],
    [
      'a size beyond all limits',
      [{ ...byDigest('a', 'x'), size: Number.MAX_SAFE_INTEGER }],
      'files.0.size',
      '100',
    ],
  ])('400 that names the place and the cap: %s', async (_, given, path, cap) => {
    const { status, body } = await create(given)
    expect(status).toBe(400)
    expect(body.issues[0].path).toBe(path)
    expect(body.issues[0].message).toContain(cap)
  })

  it('413 body_too_large for more JSON than that, whatever it contains', async () => {
    const text = (length: number) => ({ text: 'x'.repeat(length) })
    const { status, body } = await create(files(1, 1), { ...text(1_000), more: 'x'.repeat(1_000) })
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', reason: 'body_too_large' })
    expect((await team.owner('PUT', '/v1/projects/web', text(2_000))).status).toBe(413)
    expect((await team.owner('POST', '/v1/apikeys', text(2_000))).status).toBe(413)
  })
})
