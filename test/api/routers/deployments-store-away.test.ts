import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { byDigest, deploy, upload, visit } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

/** Does `work` while a file is in the way of the store's writes. */
async function withoutStore(work: () => Promise<void>): Promise<void> {
  const incoming = join(node.settings.SVC_DATA_DIR, 'blobs', 'incoming')
  await rename(incoming, `${incoming}.aside`)
  await writeFile(incoming, '')
  try {
    await work()
  } finally {
    await rm(incoming)
    await rename(`${incoming}.aside`, incoming)
  }
}

describe('while the blob store refuses writes', () => {
  it('503 with Retry-After for new files, of which nothing is kept; a retry works later', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const body = { project: 'web', files: [{ path: 'index.html', content: unique('new') }] }
    await withoutStore(async () => {
      const refused = await team.owner('POST', '/v1/deployments', body)
      expect(refused.status).toBe(503)
      expect(refused.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'store_unavailable' })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(JSON.stringify(refused.body)).not.toContain('incoming')
      expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
    })
    expect((await team.owner('POST', '/v1/deployments', body)).status).toBe(200)
  })

  it('503 for an upload; a retry works later', async () => {
    const team = await newTeam(node)
    const content = unique('upload')
    await team.owner('PUT', '/v1/projects/web')
    const create = () =>
      team.owner('POST', '/v1/deployments', { project: 'web', files: [byDigest('index.html', content)] })
    const { upload_url } = (await create()).body.missing[0]
    await withoutStore(async () => {
      expect((await upload(upload_url, content)).status).toBe(503)
      expect((await create()).body.reason).toBe('files_missing')
    })
    expect((await upload(upload_url, content)).status).toBe(200)
    expect((await create()).status).toBe(200)
  })

  it('existing files can still be deployed, and are served', async () => {
    const team = await newTeam(node)
    const content = unique('there')
    await deploy(team, { files: [{ path: 'index.html', content }] })
    await withoutStore(async () => {
      const { url } = await deploy(team, { files: [byDigest('index.html', content)] })
      expect((await visit(url)).body).toBe(content)
    })
  })
})
