/** Drawn bytes to the API: each connection is answered or closed in time, and no request runs that stood in another's body. */

import { like } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newToken } from '../../src/auth/token.ts'
import { projects } from '../../src/db/schema/projects.ts'
import { defaultTimeouts } from '../../src/server/deps.ts'
import { startTestNode, type TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import {
  exchange,
  type Head,
  headText,
  mangled,
  methods,
  oddFields,
  parseAnswers,
  type RawAnswer,
  versions,
} from './bytes.ts'
import { mayBeginAt } from './framing.ts'
import { hostileEncoded } from './hostile.ts'
import { runsOf, seed, seedOf } from './run.ts'

const timeouts = {
  ...defaultTimeouts,
  headersMs: 400,
  bodyMs: 400,
  requestMs: 1_500,
  idleMs: 1_500,
  checkMs: 100,
}

let node: TestNode
let port: number
let key: string

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api' }, timeouts)
  port = Number(new URL(node.apiUrl).port)
  key = (await newTeam(node)).ownerKey
})

afterAll(() => node.stop())

/** As long as the team's key, which takes its place before the bytes are sent. */
const standIn = newToken()
const auth = `Authorization: Bearer ${standIn}`

/** The request that must not run where it stands in another's body; each names a project of its own. */
const smuggled = (project: string) =>
  headText({
    method: 'PUT',
    target: `/v1/projects/${project}`,
    version: 'HTTP/1.1',
    fields: ['Host: localhost', auth, 'Content-Length: 0'],
  })

const targets = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      '/v1/projects',
      '/v1/projects/wire',
      '/v1/apikeys',
      '/v1/overview',
      '/healthz',
      '/trpc/projects.list',
      '/openapi.json',
      '/nothing',
    ),
  },
  { weight: 2, arbitrary: hostileEncoded.map((text) => `/v1/projects/${text}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '*',
      '',
      '//evil.example',
      'http://evil.example/v1/projects',
      'localhost:443',
      '/v1/projects?a=%',
      '/v1/projects#a',
      '/%00',
      '/..',
      `/${'a'.repeat(9_000)}`,
      '/v1/../v1/projects',
      '/v1/projects/ HTTP/1.1',
    ),
  },
)

/** How the end of a body is told, and what for: `LENGTH` stands for how long it is. */
const framings = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<string[][]>(['Content-Length: LENGTH'], ['Transfer-Encoding: chunked']),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom<string[][]>(
      ...[
        ['Content-Length: LENGTH', 'Transfer-Encoding: chunked'],
        ['Transfer-Encoding: chunked', 'Content-Length: 0'],
        ['Content-Length: 0', 'Content-Length: LENGTH'],
        ['Content-Length: LENGTH', 'Content-Length: LENGTH'],
      ],
      ...[
        ['Content-Length: LENGTH, LENGTH'],
        ['Content-Length: +LENGTH'],
        ['Content-Length: 0LENGTH'],
        ['Content-Length: LENGTH '],
        ['Content-Length:\tLENGTH'],
        ['Content-Length : LENGTH'],
        ['Content-Length: 0'],
        [],
      ],
      ...[
        ['Transfer-Encoding: xchunked'],
        ['Transfer-Encoding: chunked, chunked'],
        ['Transfer-Encoding: chunked;a=b'],
        ['Transfer-Encoding: "chunked"'],
        ['Transfer-Encoding:chunked '],
        ['Transfer-Encoding: CHUNKED'],
        ['Transfer-Encoding: gzip, chunked'],
      ],
      ...[
        ['Transfer-Encoding: identity', 'Content-Length: LENGTH'],
        ['Transfer-Encoding:', 'Content-Length: LENGTH'],
        ['Transfer-Encoding', 'Content-Length: LENGTH'],
        ['X: a\r\n Content-Length: LENGTH'],
        ['Content_Length: LENGTH'],
        ['Content-Length: 0x5'],
        ['Connection: Content-Length', 'Content-Length: LENGTH'],
      ],
    ),
  },
)

const json = fc.constantFrom('{}', '{"name":"wire"}', '', '[', '"', '{"name":"\u00c3\u00a9"}')

/** As chunks, some of them not quite. */
const chunks = (body: string) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        `${body.length.toString(16)};a="\r\n"\r\n${body}\r\n0\r\n\r\n`,
        `${body.length.toString(16)};a=b\r\n${body}\r\n0\r\nX: y\r\n\r\n`,
        `0${body.length.toString(16)}\r\n${body}\r\n00\r\n\r\n`,
        `${body.length.toString(16)}\n${body}\n0\n\n`,
        `${body.length.toString(16)} \r\n${body}\r\n0\r\n\r\n`,
        `0x${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        `-1\r\n${body}\r\n0\r\n\r\n`,
        `ffffffffffffffff\r\n${body}\r\n0\r\n\r\n`,
        `10000000000000000\r\n${body}\r\n0\r\n\r\n`,
        `${(body.length + 1).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        `${Math.max(0, body.length - 1).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        `\r\n${body}\r\n0\r\n\r\n`,
        '0\r\n',
        '0\r\nContent-Length: 5\r\n\r\n',
      ),
    },
  )

let count = 0

const request = fc
  .record({
    method: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('POST', 'PUT') },
      { weight: 2, arbitrary: methods },
    ),
    target: targets,
    version: versions,
    framing: framings,
    more: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(oddFields, { maxLength: 3 }) },
    ),
    type: fc.constantFrom('Content-Type: application/json', 'Content-Type: text/plain', 'Content-Type:'),
    body: json,
    inside: fc.boolean(),
    lineEnd: fc.oneof(
      { weight: 20, arbitrary: fc.constant('\r\n') },
      { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\r\n') },
    ),
    before: fc.oneof(
      { weight: 20, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom('\r\n', '\n', '\r\n\r\n', ' ', '\0') },
    ),
    pieces: fc.constantFrom(1, 1, 1, 2, 5),
    halfClose: fc.oneof(
      { weight: 100, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    mangle: fc.nat(3).map((drawn) => drawn === 0),
  })
  .chain((drawn) => {
    // In the body, or behind it: there it may run, where the first is whole.
    const content = drawn.inside ? drawn.body + marker : drawn.body
    const chunked = drawn.framing.some((each) => /chunked/i.test(each))
    return (chunked ? chunks(content) : fc.constant(content)).chain((body) => {
      const framing = drawn.framing.map((each) => each.replaceAll('LENGTH', String(body.length)))
      const head: Head = {
        method: drawn.method,
        target: drawn.target,
        version: drawn.version,
        fields: ['Host: localhost', auth, drawn.type, ...framing, ...drawn.more],
      }
      const text = drawn.before + headText(head, drawn.lineEnd) + body + (drawn.inside ? '' : marker)
      const bytes = drawn.mangle ? mangled(fc.constant(text)) : fc.constant(text)
      return bytes.map((all) => ({
        bytes: all,
        method: drawn.method,
        pieces: drawn.pieces,
        halfClose: drawn.halfClose,
      }))
    })
  })

/** Stands for the second request until it is known which one it is; as long as that. */
const nameOf = (number: number) => `smuggled-${String(number).padStart(8, '0')}`
const marker = smuggled(nameOf(0))

type Told = { bytes: string; mayRun: boolean }

function problems(answers: RawAnswer[]): string[] {
  return answers.flatMap(({ status, headers, body }) => {
    const wrong = status >= 500 || status < 200 ? [`a ${status}`] : []
    if (!headers.has('x-request-id')) wrong.push(`a ${status} without x-request-id`)
    if (status >= 400 && body !== '' && !/"request_id":"/.test(body))
      wrong.push(`a ${status} without a reason`)
    return wrong
  })
}

describe('drawn bytes', { timeout: 20 * 60_000 }, () => {
  it('are answered or closed, and none runs that stood in a body', async () => {
    const lanes = [0, 1, 2, 3, 4, 5, 6, 7]
    const told = new Map<string, Told>()
    const statuses = new Map<number, number>()
    const check = async (lane: number) => {
      const details = await fc.check(
        fc.asyncProperty(request, async ({ bytes: drawn, method, pieces, halfClose }) => {
          count += 1
          const name = nameOf(count)
          const bytes = drawn.replaceAll(nameOf(0), name).replaceAll(standIn, key)
          const at = bytes.indexOf(`PUT /v1/projects/${name} HTTP`)
          told.set(name, { bytes, mayRun: at === -1 || mayBeginAt(bytes, at) })
          const answers = parseAnswers(await exchange(port, bytes, pieces, halfClose), method).filter(
            ({ status }) => status !== 100,
          )
          for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
          const wrong = problems(answers)
          if (wrong.length > 0) throw new Error(wrong.join('; '))
        }),
        { seed: seedOf(`wire ${lane}`), numRuns: runsOf(400, 2 / lanes.length) },
      )
      if (!details.failed) return undefined
      const [smallest] = details.counterexample ?? []
      return `FUZZ_SEED=${seed}: ${JSON.stringify(smallest)}\n${String(details.errorInstance)}`
    }
    const failures = (await Promise.all(lanes.map(check))).filter((each) => each !== undefined)
    const { db } = node.installation.store
    const ran = await db
      .select({ name: projects.name })
      .from(projects)
      .where(like(projects.name, 'smuggled-%'))
    process.stdout.write(
      `${count} connections: ${JSON.stringify([...statuses])}, ${ran.length} second requests ran\n`,
    )
    expect(failures).toEqual([])
    const hidden = ran.map(({ name }) => told.get(name)).filter((each) => each?.mayRun === false)
    expect(hidden.map((each) => JSON.stringify(each?.bytes))).toEqual([])
    // Otherwise nothing is shown by that none did.
    expect(ran.length).toBeGreaterThan(0)
    expect(node.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })
})
