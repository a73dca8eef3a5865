/** The largest bodies, in each shape that takes long to parse, delay no other client. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { blockOver, watchBusy } from '../support/busy.ts'
import { createCleanUps } from '../support/clean-ups.ts'
import { postgresUrl } from '../support/postgres.ts'
import { type Program, startProgram } from '../support/program.ts'

const server = await postgresUrl()

/** On the reference machine; one that computes half as fast may take twice the time. */
const longestMs = 200

/** The size of the shape in a body, which leaves some room for the fields around it. */
const largest = 10 * 1024 * 1024 - 200

const keys = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `"k${(from + at).toString(36)}":0`).join(',')
const filled = (open: string, unit: string, close: string) =>
  open + unit.repeat(Math.floor((largest - open.length - close.length) / Buffer.byteLength(unit))) + close
const times = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join(',')

/** Fields of a new deployment, and the expected response. */
const shapes: [string, string, string][] = [
  ['distinct keys', `"meta":{${keys(0, 700_000)}}`, 'meta: must have at most 1000 fields'],
  [
    'distinct keys in many objects',
    `"files":[${times(7_000, (at) => `{${keys(at * 100, 100)}}`)}]`,
    'fewer items and fields in all than 105000',
  ],
  [
    'the most distinct keys, in large objects',
    `"files":[${times(270, (at) => `{${keys(at * 100, 100)}}`)}]`,
    'files.0.path',
  ],
  [
    'the most distinct keys, in small objects',
    `"files":[${times(11_600, (at) => `{${keys(at * 8, 8)}}`)}]`,
    'files.0.path',
  ],
  [
    'the most keys, in the most files',
    `"files":[${times(20_000, (at) => `{"path":"${at}.html",${keys(at * 3, 3)}}`)}]`,
    'files.0.k0',
  ],
  ['deep lists', filled('"meta":', '[', ''), 'nested more than 32 levels'],
  ['deep objects', filled('"meta":', '{"a":', ''), 'nested more than 32 levels'],
  ['a list of numbers', filled('"files":[', '0,', '0]'), 'files: must have at most 21000 items'],
  ['a list of objects', filled('"files":[', '{},', '0]'), 'files: must have at most 21000 items'],
  ['a list of texts', filled('"files":[', '"",', '0]'), 'files: must have at most 21000 items'],
  [
    'lists of lists',
    filled('"files":[', `[${times(500, () => '0')}],`, '0]'),
    'fewer items and fields in all than 105000',
  ],
  ['wrong files', `"files":[${times(20_000, () => '0')}]`, 'files.0'],
  ['one text', filled('"files":[{"path":"a","content":"', 'x', '"}]'), 'ready'],
  ['escaped line breaks', filled('"files":[{"path":"a","content":"', '\\n', '"}]'), 'ready'],
  ['escaped quotes', filled('"files":[{"path":"a","content":"', '\\"', '"}]'), 'ready'],
  ['escaped letters', filled('"files":[{"path":"a","content":"', '\\u20ac', '"}]'), 'ready'],
  ['letters of three bytes', filled('"files":[{"path":"a","content":"', '€'.repeat(5), '"}]'), 'ready'],
  ['spaces', filled('"meta":', ' ', '{},"files":[{"path":"a","content":""}]'), 'ready'],
  [
    'many files',
    `"files":[${times(20_000, (at) => `{"path":"${at}.html","content":"${'x'.repeat(460)}"}`)}]`,
    'ready',
  ],
]

describe.runIf(server && process.platform === 'linux')('a body of 10 MiB', () => {
  let program: Program
  let busyFile: string
  const cleanUps = createCleanUps()

  beforeAll(async () => {
    const directory = await cleanUps.newDirectory()
    busyFile = join(directory, 'busy')
    program = await startProgram({
      DATABASE_URL: await cleanUps.newDatabase(server),
      SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SVC_DATA_DIR: directory,
      ...watchBusy(busyFile),
    })
    cleanUps.add(() => program.end('SIGTERM'))
    await send('PUT', '/v1/projects/large', '{}')
  })

  async function send(method: string, path: string, body: string): Promise<string> {
    const response = await fetch(`${program.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
      body,
    })
    return response.text()
  }

  async function expectNoBlock(sending: Promise<string>, expected: string): Promise<void> {
    expect((await sending).slice(0, 1_000)).toContain(expected)
    // Arrives after the block of the measured request has been recorded.
    await fetch(`${program.apiUrl}/healthz`)
    expect(await blockOver(longestMs, busyFile)).toBeUndefined()
  }

  it.each(shapes)('of %s, through REST', (_shape, fields, expected) =>
    expectNoBlock(send('POST', '/v1/deployments', `{"project":"large",${fields}}`), expected),
  )

  it.each(shapes)('of %s, through RPC', { tags: 'long' }, (_shape, fields, expected) =>
    expectNoBlock(send('POST', '/trpc/deployments.create', `{"project":"large",${fields}}`), expected),
  )

  it.each(shapes)('of %s, through a batch of two calls', { tags: 'long' }, (_shape, fields, expected) => {
    const path = '/trpc/deployments.create,projects.put?batch=1'
    const body = `{"0":{"project":"large",${fields}},"1":{"project":"other"}}`
    return expectNoBlock(send('POST', path, body), expected)
  })
})
