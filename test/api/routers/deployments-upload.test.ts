import { beforeAll, describe, expect, it } from 'vitest'
import { byDigest, deploy, sha256, upload, visit } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

type Missing = { sha256: string; upload_url: string }[]

async function create(team: TestTeam, files: unknown[]) {
  await team.owner('PUT', '/v1/projects/web')
  return team.owner('POST', '/v1/deployments', { project: 'web', files })
}

/** The upload URLs for files that the team doesn't have. */
async function missing(team: TestTeam, files: unknown[]): Promise<Missing> {
  const { status, body } = await create(team, files)
  expect(status).toBe(400)
  expect(body.reason).toBe('files_missing')
  return body.missing
}

describe('a deployment of files by digest', () => {
  it('400 files_missing has a URL for each digest; after the uploads the same request succeeds', async () => {
    const team = await newTeam(node)
    const [one, two] = [unique('one'), unique('two')]
    const files = [byDigest('index.html', one), byDigest('a/two.html', two)]
    const { status, body } = await create(team, files)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_REQUEST', reason: 'files_missing' })
    expect(body.message).toContain('upload_url')
    expect(body.missing.map((each: Missing[0]) => each.sha256)).toEqual([sha256(one), sha256(two)])

    for (const [i, content] of [one, two].entries()) {
      const url = body.missing[i].upload_url
      expect(new URL(url).pathname.startsWith('/v1')).toBe(false)
      const answer = await upload(url, content)
      expect(answer).toEqual({ status: 200, body: { sha256: sha256(content), size: content.length } })
    }
    const created = await create(team, files)
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({ files: 2, bytes: one.length + two.length, state: 'ready' })
    expect((await visit(created.body.url)).body).toBe(one)
    expect((await visit(created.body.url, '/a/two')).body).toBe(two)
  })

  it('has one upload URL per digest, however many files have it', async () => {
    const content = unique('same')
    const files = ['a', 'b', 'c/d'].map((path) => byDigest(path, content))
    expect(await missing(await newTeam(node), files)).toHaveLength(1)
  })

  it('has upload URLs only for digests that the team neither stores nor sends inline', async () => {
    const team = await newTeam(node)
    const contents = [unique('uploaded'), unique('inline'), unique('elsewhere'), unique('new')]
    const [uploaded = '', inline = '', elsewhere = '', last = ''] = contents
    await upload((await missing(team, [byDigest('a', uploaded)]))[0]?.upload_url ?? '', uploaded)
    await deploy(team, { project: 'other', files: [{ path: 'x', content: elsewhere }] })
    const files = [...contents.map((content, i) => byDigest(`${i}`, content)), { path: 'i', content: inline }]
    expect((await missing(team, files)).map((each) => each.sha256)).toEqual([sha256(last)])
  })

  it('has upload URLs for what only another team has: a digest alone grants no access', async () => {
    const [one, two] = [await newTeam(node), await newTeam(node)]
    const secret = unique('their secret')
    const { url } = await deploy(one, { files: [{ path: 'index.html', content: secret }] })
    const [missingFile] = await missing(two, [byDigest('index.html', secret)])
    expect(missingFile?.sha256).toBe(sha256(secret))
    expect((await upload(missingFile?.upload_url ?? '', 'a guess')).status).not.toBe(200)
    expect(await missing(two, [byDigest('index.html', secret)])).toHaveLength(1)
    expect((await visit(url)).body).toBe(secret)
  })

  it('needs no upload to a URL that another team was given', async () => {
    const [one, two] = [await newTeam(node), await newTeam(node)]
    const content = unique('theirs')
    await upload((await missing(one, [byDigest('a', content)]))[0]?.upload_url ?? '', content)
    expect((await create(one, [byDigest('a', content)])).status).toBe(200)
    expect(await missing(two, [byDigest('a', content)])).toHaveLength(1)
  })

  it('400 that names the size when it is not that of the blob', async () => {
    const team = await newTeam(node)
    const content = unique('sized')
    await deploy(team, { files: [{ path: 'a', content }] })
    const { status, body } = await create(team, [
      byDigest('b', 'other'),
      { ...byDigest('a', content), size: 1 },
    ])
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'files.1.size' }])
  })

  it('accepts empty files too', async () => {
    const team = await newTeam(node)
    const files = [byDigest('empty', ''), { path: 'index.html', content: 'x' }]
    await upload((await missing(team, files))[0]?.upload_url ?? '', '')
    expect((await create(team, files)).status).toBe(200)
  })

  it('stores none of the inline files while others are missing', async () => {
    const team = await newTeam(node)
    const content = unique('inline')
    await missing(team, [{ path: 'a', content }, byDigest('b', unique('missing'))])
    expect(await missing(team, [byDigest('a', content)])).toHaveLength(1)
  })
})

describe('PUT to an upload URL', () => {
  it.each([
    [
      '400 digest_mismatch for other bytes',
      (right: string) => 'x'.repeat(right.length),
      400,
      'digest_mismatch',
    ],
    ['400 size_mismatch for too few', (right: string) => right.slice(1), 400, 'size_mismatch'],
    ['413 body_too_large for too many', (right: string) => `${right}x`, 413, 'body_too_large'],
    ['400 size_mismatch for none', () => '', 400, 'size_mismatch'],
  ])('%s; the right ones are still accepted', async (_, wrong, status, reason) => {
    const team = await newTeam(node)
    const content = unique('content')
    const [missingFile] = await missing(team, [byDigest('index.html', content)])
    const refused = await upload(missingFile?.upload_url ?? '', wrong(content))
    expect(refused.status).toBe(status)
    expect(refused.body.reason).toBe(reason)
    expect(await missing(team, [byDigest('index.html', content)])).toHaveLength(1)
    expect((await upload(missingFile?.upload_url ?? '', content)).status).toBe(200)
    expect((await create(team, [byDigest('index.html', content)])).status).toBe(200)
  })

  it('checks the length also of a body without an announced one', async () => {
    const team = await newTeam(node)
    const content = unique('streamed')
    const [missingFile] = await missing(team, [byDigest('index.html', content)])
    const put = async (...chunks: string[]) => {
      const body = ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk)))
      const init = { method: 'PUT', body, duplex: 'half' } as const
      return (await fetch(missingFile?.upload_url ?? '', init)).status
    }
    expect(await put(content, content)).toBe(413)
    expect(await put(content.slice(1))).toBe(400)
    expect(await put(content.slice(0, 3), content.slice(3))).toBe(200)
  })

  it('needs no Authorization, and may be repeated, also concurrently', async () => {
    const team = await newTeam(node)
    const content = unique('repeated')
    const [missingFile] = await missing(team, [byDigest('index.html', content)])
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => upload(missingFile?.upload_url ?? '', content)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await upload(missingFile?.upload_url ?? '', content)).status).toBe(200)
    expect((await upload(missingFile?.upload_url ?? '', 'x'.repeat(content.length))).body.reason).toBe(
      'digest_mismatch',
    )
    const { body } = await create(team, [byDigest('index.html', content)])
    expect((await visit(body.url)).body).toBe(content)
  })

  it('accepts any content type', async () => {
    const team = await newTeam(node)
    const content = '{"json": true}'
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'image/png']) {
      const body = `${content}${unique(type)}`
      const [missingFile] = await missing(team, [byDigest('a', body)])
      const headers = { 'content-type': type }
      expect(
        (await fetch(missingFile?.upload_url ?? '', { method: 'PUT', body, headers })).status,
        type,
      ).toBe(200)
    }
  })

  it('leaves nothing of an upload that is cut off, and accepts it again', async () => {
    const team = await newTeam(node)
    const content = unique('x').repeat(50_000)
    const [missingFile] = await missing(team, [byDigest('index.html', content)])
    const going = new AbortController()
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(Buffer.from(content.slice(0, 1_000)))
        going.abort()
      },
    })
    const init = { method: 'PUT', body, duplex: 'half', signal: going.signal } as const
    await expect(fetch(missingFile?.upload_url ?? '', init)).rejects.toThrow()
    expect(await missing(team, [byDigest('index.html', content)])).toHaveLength(1)
    expect((await upload(missingFile?.upload_url ?? '', content)).status).toBe(200)
  })
})
