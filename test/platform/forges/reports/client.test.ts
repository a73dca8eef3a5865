/** What a forge gets of a deployment, and what follows from its answer. */
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createForgeFetch } from '../../../../src/platform/forges/api/forge-fetch.ts'
import type { Outcome } from '../../../../src/platform/forges/api/outcome.ts'
import { createForgeClient, type ForgeClient } from '../../../../src/platform/forges/reports/client.ts'
import type { Forge } from '../../../../src/stores/db/schema/project-repositories.ts'
import { answerEndlessly, startReceiver } from '../../webhooks/receiver.ts'
import { type FakeForge, host, ownUser, startFakeForge, token } from './fake-forge.ts'

const nowMs = 1_790_000_000_000
const providers: Forge[] = ['github', 'gitlab', 'gitea']
const paths: Record<Forge, string> = { github: 'acme/web', gitlab: 'acme/sites/web', gitea: 'acme/web' }

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Start = { allowPrivate?: boolean; limitMs?: number; ca?: string }

async function start(
  provider: Forge,
  options: Start = {},
): Promise<{ forge: FakeForge; client: ForgeClient }> {
  const forge = await startFakeForge(provider)
  closing.push(forge.close)
  const { fetch, close } = createForgeFetch({
    allowPrivate: true,
    resolvers: undefined,
    resolve: async () => ['127.0.0.1'],
    ca: forge.ca,
    ...options,
  })
  closing.push(close)
  const url = `https://${host}:${forge.port}/${paths[provider]}`
  return { forge, client: createForgeClient({ provider, url, token, fetch, nowMs: () => nowMs }) }
}

const status = {
  commit: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  state: 'failure' as const,
  description: 'The build failed.',
  targetUrl: 'https://svc.example/deployments/dep_1',
  context: 'svc/web',
}

const comment = { number: 5, marker: '<!-- svc:prj_1 -->', body: 'Deployed to https://web.example/.' }
const text = `${comment.marker}\n\n${comment.body}`

/** Refuses one kind of request, with these headers. */
function refuse(forge: FakeForge, code: number, headers: Record<string, string> = {}, body = ''): void {
  forge.answer = (response) => {
    response.writeHead(code, headers).end(body)
    return true
  }
}

describe('a status', () => {
  it.each([
    ['github' as const, '/api/v3/repos/acme/web', 'failure', 'context'],
    ['gitea' as const, '/api/v1/repos/acme/web', 'failure', 'context'],
    ['gitlab' as const, '/api/v4/projects/acme%2Fsites%2Fweb', 'failed', 'name'],
  ])('of %s is set in its words', async (provider, path, state, context) => {
    const { forge, client } = await start(provider)
    expect(await client.setStatus(status)).toEqual({ result: 'done' })
    expect(forge.received).toMatchObject([
      {
        method: 'POST',
        path: `${path}/statuses/${status.commit}`,
        headers: { 'content-type': 'application/json', 'user-agent': expect.stringMatching(/^svc\//) },
        body: {
          state,
          description: status.description,
          target_url: status.targetUrl,
          [context]: status.context,
        },
      },
    ])
  })

  it.each(providers)('of %s may be pending and successful', async (provider) => {
    const { forge, client } = await start(provider)
    for (const state of ['pending', 'success'] as const) await client.setStatus({ ...status, state })
    expect(forge.received.map(({ body }) => body)).toMatchObject([{ state: 'pending' }, { state: 'success' }])
  })

  it('names the version of the API of GitHub', async () => {
    const { forge, client } = await start('github')
    await client.setStatus(status)
    expect(forge.received[0]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    })
  })

  it('has a description of 140 characters at most', async () => {
    const { forge, client } = await start('github')
    await client.setStatus({ ...status, description: '🙂'.repeat(141) })
    await client.setStatus({ ...status, description: '🙂'.repeat(140) })
    expect(forge.received.map(({ body }) => body)).toMatchObject([
      { description: `${'🙂'.repeat(139)}…` },
      { description: '🙂'.repeat(140) },
    ])
  })

  it('that a commit of GitLab has already is done', async () => {
    const { forge, client } = await start('gitlab')
    const message =
      'Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition)'
    refuse(forge, 400, {}, JSON.stringify({ message }))
    expect(await client.setStatus(status)).toEqual({ result: 'done' })
    refuse(forge, 400, {}, JSON.stringify({ message: 'ref is invalid' }))
    expect(await client.setStatus(status)).toMatchObject({ result: 'given_up' })
  })
})

describe.each(providers)('the comment of a pull request of %s', (provider) => {
  it('is written once, then edited, and left where nothing changes', async () => {
    const { forge, client } = await start(provider)
    forge.comments.push({ id: 1, body: 'Nice!', userId: 1 })
    const put = async (body: string) => {
      expect(await client.putComment({ ...comment, body })).toEqual({ result: 'done' })
      return forge.received.splice(0).map(({ method }) => method)
    }
    expect(await put(comment.body)).toEqual(['GET', 'GET', 'POST'])
    expect(await put('Deployed again.')).toEqual(['GET', provider === 'gitlab' ? 'PUT' : 'PATCH'])
    expect(await put('Deployed again.')).toEqual(['GET'])
    expect(forge.comments).toEqual([
      { id: 1, body: 'Nice!', userId: 1 },
      { id: 2, body: `${comment.marker}\n\nDeployed again.`, userId: ownUser },
    ])
  })

  it('is found behind many others', async () => {
    const { forge, client } = await start(provider)
    for (let id = 1; id <= 250; id += 1) forge.comments.push({ id, body: 'x', userId: ownUser })
    forge.comments[230] = { id: 231, body: `${comment.marker}\n\nold`, userId: ownUser }
    expect(await client.putComment(comment)).toEqual({ result: 'done' })
    expect(forge.comments[230]?.body).toBe(text)
    expect(forge.comments).toHaveLength(250)
  })

  it("is never somebody else's, nor that of another project", async () => {
    const { forge, client } = await start(provider)
    const others = [
      { id: 1, body: `${comment.marker} by a stranger`, userId: 1 },
      { id: 2, body: `As ${comment.marker} says`, userId: ownUser },
      { id: 3, body: '<!-- svc:prj_2 -->', userId: ownUser },
    ]
    forge.comments.push(...others)
    expect(await client.putComment(comment)).toEqual({ result: 'done' })
    expect(forge.comments).toEqual([...others, { id: 4, body: text, userId: ownUser }])
  })

  it('is found by its marker alone where the token may not know its user', async () => {
    const { forge, client } = await start(provider)
    forge.comments.push({ id: 1, body: `${comment.marker}\n\nold`, userId: ownUser })
    forge.answer = (response, { path }) => {
      if (!path.endsWith('/user')) return false
      response.writeHead(403).end()
      return true
    }
    expect(await client.putComment(comment)).toEqual({ result: 'done' })
    expect(forge.comments).toEqual([{ id: 1, body: text, userId: ownUser }])
  })
})

describe('the search for a comment', () => {
  it('ends after ten pages, and writes no second one', async () => {
    const { forge, client } = await start('github')
    for (let id = 1; id <= 1_001; id += 1) forge.comments.push({ id, body: 'x', userId: ownUser })
    expect(await client.putComment(comment)).toEqual({
      result: 'given_up',
      why: 'None of the first 1000 comments of the pull request is the one to edit.',
    })
    expect(forge.received.map(({ path }) => path)).toEqual([
      '/api/v3/user',
      ...Array.from(
        { length: 10 },
        (_, at) => `/api/v3/repos/acme/web/issues/5/comments?per_page=100&page=${at + 1}`,
      ),
    ])
  })

  it.each(['<html>', '{}', '[{"id":"1"}]'])('ends at %s, which is no list of comments', async (body) => {
    const { forge, client } = await start('github')
    refuse(forge, 200, {}, body)
    expect(await client.putComment(comment)).toMatchObject({ result: 'given_up' })
    expect(forge.received.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('begins anew where the user could not be read', async () => {
    const { forge, client } = await start('github')
    refuse(forge, 503)
    expect(await client.putComment(comment)).toMatchObject({ result: 'retry' })
    forge.answer = undefined
    expect(await client.putComment(comment)).toEqual({ result: 'done' })
  })
})

describe('a refusal', () => {
  const reset = String(nowMs / 1_000 + 90)
  it.each<[number, Record<string, string>, Outcome['result'], number | undefined]>([
    [429, {}, 'retry', undefined],
    [429, { 'retry-after': '60' }, 'retry', 60_000],
    [429, { 'ratelimit-remaining': '0', 'ratelimit-reset': reset }, 'retry', 90_000],
    [429, { 'retry-after': '9999999' }, 'retry', 24 * 60 * 60_000],
    [403, { 'retry-after': '60' }, 'retry', 60_000],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }, 'retry', 90_000],
    [403, { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': reset }, 'given_up', undefined],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, 'given_up', undefined],
    [500, {}, 'retry', undefined],
    [503, { 'retry-after': '5' }, 'retry', 5_000],
    [401, {}, 'given_up', undefined],
    [403, {}, 'given_up', undefined],
    [404, {}, 'given_up', undefined],
    [422, {}, 'given_up', undefined],
    [301, { location: '/elsewhere' }, 'given_up', undefined],
  ])('with %i and %o means %s', async (code, headers, result, afterMs) => {
    const { forge, client } = await start('github')
    refuse(forge, code, headers, 'A text of the forge.')
    const report = await client.setStatus(status)
    expect(report).toMatchObject(result === 'retry' ? { result, afterMs } : { result })
    expect(JSON.stringify(report)).not.toMatch(/secret-token|text of the forge/)
    expect(forge.received).toHaveLength(1)
  })

  it.each([
    ['github' as const, 'commit statuses', 'pull requests'],
    ['gitlab' as const, 'api', 'api'],
    ['gitea' as const, 'write:repository', 'write:issue'],
  ])('of %s names the right that the token needs', async (provider, forStatus, forComment) => {
    for (const code of [401, 403, 404]) {
      const { forge, client } = await start(provider)
      refuse(forge, code)
      expect(await client.setStatus(status)).toMatchObject({ why: expect.stringContaining(forStatus) })
      expect(await client.putComment(comment)).toMatchObject({ why: expect.stringContaining(forComment) })
    }
  })
})

describe('a request', () => {
  it('follows no redirect with the token', async () => {
    const inside = await startReceiver()
    closing.push(inside.close)
    const { forge, client } = await start('github')
    for (const code of [301, 302, 307, 308]) {
      refuse(forge, code, { location: inside.url })
      expect(await client.setStatus(status)).toMatchObject({
        result: 'given_up',
        why: expect.stringContaining('redirects are not followed'),
      })
    }
    expect(inside.connections).toBe(0)
  })

  it('has the token in no address', async () => {
    const { forge, client } = await start('gitlab')
    await client.setStatus(status)
    await client.putComment(comment)
    expect(forge.received.map(({ path }) => path).join()).not.toContain(token)
  })

  it('is broken off after its time', async () => {
    const { forge, client } = await start('github', { limitMs: 200 })
    forge.answer = () => true
    expect(await client.setStatus(status)).toEqual({
      result: 'retry',
      afterMs: undefined,
      why: 'The request timed out.',
    })
  })

  it('is broken off after its time within a response', async () => {
    const { forge, client } = await start('github', { limitMs: 400 })
    forge.answer = (response) => {
      response.writeHead(200).write('[')
      return true
    }
    expect(await client.setStatus(status)).toMatchObject({ result: 'retry', why: 'The request timed out.' })
  })

  it('reads no endless response', async () => {
    const { forge, client } = await start('github')
    forge.answer = (response: ServerResponse) => {
      answerEndlessly(response)
      return true
    }
    expect(await client.setStatus(status)).toEqual({ result: 'given_up', why: 'The response is too long.' })
  })

  it('is tried again where the forge is away', async () => {
    const { forge, client } = await start('github')
    closing.splice(closing.indexOf(forge.close), 1)
    await forge.close()
    expect(await client.setStatus(status)).toMatchObject({
      result: 'retry',
      why: 'The connection was refused.',
    })
  })

  it('goes to no forge in a private network, unless the operator allows it', async () => {
    const forge = await startFakeForge('github')
    closing.push(forge.close)
    const { fetch, close } = createForgeFetch({
      allowPrivate: false,
      resolvers: undefined,
      resolve: async () => ['127.0.0.1'],
    })
    closing.push(close)
    const reports = await Promise.all(
      [`https://${host}/acme/web`, `https://${host}:${forge.port}/acme/web`, 'https://10.0.0.1/acme/web'].map(
        (url) => {
          const client = createForgeClient({ provider: 'github', url, token, fetch, nowMs: () => nowMs })
          return client.setStatus(status)
        },
      ),
    )
    expect(reports).toEqual([
      { result: 'given_up', why: 'The host has no public address.' },
      { result: 'given_up', why: 'The URL must have the port 443 or 8443.' },
      { result: 'given_up', why: expect.stringContaining('10.0.0.1') },
    ])
    expect(forge.received).toEqual([])
  })

  it('trusts no certificate that it does not know', async () => {
    const other = await startFakeForge('github')
    closing.push(other.close)
    const { forge, client } = await start('github', { ca: other.ca })
    expect(await client.setStatus(status)).toMatchObject({
      result: 'retry',
      why: expect.stringContaining('certificate'),
    })
    expect(forge.received).toEqual([])
  })
})
