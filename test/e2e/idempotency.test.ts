/**
 * A client that repeats a request after its response was lost gets no second deployment, whenever the program
 * was killed.
 * @module-tag long
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNull } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { openPglite } from '../../src/stores/db/open-database.ts'
import { idempotencyKeys } from '../../src/stores/db/schema/idempotency.ts'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'

const rounds = 5
const requestsARound = 6
const longestLifeMs = 120

const bodySchema = z.object({
  id: z.string().optional(),
  reason: z.string().optional(),
  data: z.array(z.object({ id: z.string() })).default([]),
})

let directory: string
let program: Program
let token: string

beforeEach(async () => {
  directory = await newDataDirectory()
  program = await startProgram({ SVC_DATA_DIR: directory })
  token = program.key ?? ''
  await send('PUT', '/v1/projects/web')
})

afterEach(async () => {
  await program.end('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

async function restart(): Promise<void> {
  program = await startProgram({ SVC_DATA_DIR: directory })
}

async function send(method: string, path: string, body?: object, key?: string, url = program.apiUrl) {
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: bodySchema.parse(await response.json()) }
}

function create(key: string, url?: string) {
  const files = [{ path: 'index.html', content: key }]
  return send('POST', '/v1/deployments', { project: 'web', files, meta: { branch: key } }, key, url)
}

/** The ids of the deployments that requests with this key have created. */
async function madeWith(key: string): Promise<string[]> {
  const { body } = await send('GET', `/v1/deployments?branch=${key}`)
  return body.data.map(({ id }) => id)
}

/** A proxy to the program that drops its responses; `swallowed` resolves at the first byte of one. */
async function withoutAnswers(): Promise<{ url: string; swallowed: Promise<unknown>; server: Server }> {
  const { hostname, port } = new URL(program.apiUrl)
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.on('error', () => {}).pipe(far)
    far.on('error', () => {}).on('data', () => server.emit('swallowed'))
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  const swallowed = once(server, 'swallowed')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.')
  return { url: `http://127.0.0.1:${address.port}`, swallowed, server }
}

it('kill -9 between the commit and the response: the repeat returns the created deployment', async () => {
  const key = randomUUID()
  const { url, swallowed, server } = await withoutAnswers()
  const lost = create(key, url)
  await Promise.all([swallowed.then(() => program.end('SIGKILL')), expect(lost).rejects.toThrow()])
  server.close()
  await restart()
  const made = await madeWith(key)
  expect(made).toHaveLength(1)
  const again = await create(key)
  expect([again.status, again.body.id]).toEqual([200, made[0]])
  expect(await madeWith(key)).toEqual(made)
}, 120_000)

it('kill -9 at any moment: repeats create the missing deployments, and none twice', async () => {
  const answered = new Map<string, string>()
  const keys: string[] = []
  const note = (key: string, { status, body }: Awaited<ReturnType<typeof create>>) => {
    const { id = '' } = body
    if (status === 200) expect(answered.get(key) ?? id).toBe(id)
    if (status === 200) answered.set(key, id)
    else expect([status, body.reason]).toEqual([409, 'idempotency_in_progress'])
  }
  for (let round = 0; round < rounds; round += 1) {
    const fresh = Array.from({ length: requestsARound }, randomUUID)
    keys.push(...fresh)
    const underWay = fresh.map((key) =>
      create(key).then(
        (answer) => note(key, answer),
        () => {},
      ),
    )
    await sleep(Math.random() * longestLifeMs)
    await program.end('SIGKILL')
    await Promise.all(underWay)
    await restart()
    for (const key of fresh) note(key, await create(key))
  }
  await program.end('SIGTERM')
  const cutOff = await endLeases()
  await restart()
  for (const key of keys) {
    note(key, await create(key))
    expect(await madeWith(key)).toEqual([answered.get(key)])
  }
  // Some must have been killed before their commit, or this test proves nothing.
  expect(cutOff).toBeGreaterThan(0)
}, 300_000)

/**
 * Waits for the minute to pass for which a claim is held; returns how many runs were killed while they held
 * one.
 */
async function endLeases(): Promise<number> {
  const database = await openPglite(join(directory, 'db'))
  try {
    const claims = await database.db
      .update(idempotencyKeys)
      .set({ untilMs: Date.now() })
      .where(isNull(idempotencyKeys.answer))
      .returning({ key: idempotencyKeys.key })
    return claims.length
  } finally {
    await database.close()
  }
}
