/**
 * Every operation gives every response that the OpenAPI document lists: its success, and each of its
 * refusals.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { AppError, type Reason, reasonNames } from '../../../../src/lib/errors.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { enforcingNode } from '../../../support/enforcing-node.ts'
import { stopSharedNode, type TestNode } from '../../../support/node.ts'
import { isShort } from '../../../support/short.ts'
import { newTeam } from '../../../support/team.ts'
import { callRest } from '../call-procedure.ts'
import { cases, type Fixture, newFixture } from '../every-procedure.ts'
import { anyRefusal } from './any-refusal.ts'
import {
  fewConnections,
  startBroken,
  startCrowded,
  startCutOff,
  startEnforcing,
  startStrict,
  startTrusting,
  startWithoutSandbox,
} from './node-refusals.ts'
import { type Operation, operations } from './operations.ts'
import { ownRefusals } from './own-refusals.ts'
import { contextOf, type Ways } from './ways.ts'

const database = process.env.TEST_ON ? inject('database') : undefined

let node: TestNode
let unchanged: Fixture
let atNodes: Ways
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  await stopSharedNode()
  node = await startOwnNode(fewConnections)
  unchanged = await newFixture(node)
  const started = await Promise.all([
    startStrict(),
    startTrusting(),
    startCrowded(),
    startBroken(),
    startWithoutSandbox(node),
    ...(database ? [startCutOff(database)] : []),
  ])
  stops.push(...started.map(({ stop }) => stop), () => node.stop())
  atNodes = Object.assign({}, await startEnforcing(), ...started.map(({ ways }) => ways))
  // Several nodes, each with a database of its own, on a machine that may be busy.
}, 180_000)

afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()))
})

/**
 * In `npm test`, a refusal that is the same for all operations is tested with the first one, and
 * every-procedure.test.ts covers successes.
 */
const shared = new Set<string>()

function isTried({ name, method }: Operation, reason: Reason): boolean {
  // PGlite runs in this process: it can't be unreachable.
  if (reason === 'store_unavailable' && !database) return false
  if (!isShort || ownRefusals[name]?.[reason]) return true
  const kind = `${reason} of ${method === 'GET' ? 'a query' : 'a change'}`
  return !shared.has(kind) && shared.add(kind).has(kind)
}

describe.each(operations)('$name', (operation) => {
  const { name, refusals } = operation
  const possible = refusals.filter(({ reason }) => isTried(operation, reason))

  it('200', { tags: 'long' }, async () => {
    // Only a node with a JWT secret mints JWTs.
    const mints = name === 'tokens.mint'
    const at = mints ? await enforcingNode() : node
    const own = { ...(await newFixture(node)), ...(mints && { team: await newTeam(at) }) }
    await cases[name].prepare?.(own)
    expect((await callRest(at, own.team.ownerKey, name, cases[name].input(own))).status).toBe(200)
  })

  it.each(possible)('$status $reason', async ({ status, reason }) => {
    const ownWay = ownRefusals[name]?.[reason]
    const way = ownWay ?? { ...anyRefusal, ...atNodes }[reason]
    if (!way) throw new Error(`There is no case of ${reason} at ${name}.`)
    // Calls with effects need a fixture of their own.
    const changes = ownWay !== undefined || reason === 'idempotency_key_reused'
    const refusal = await way(contextOf(node, name, changes ? await newFixture(node) : unchanged))
    const { code } = new AppError(reason, '')
    expect(refusal).toMatchObject({ status, body: { code, reason } })
  })
})

describe('the cases', () => {
  it('are of refusals that the document lists', () => {
    for (const { name, refusals } of operations) {
      const listed = refusals.map(({ reason }) => reason)
      expect(listed).toEqual(expect.arrayContaining(Object.keys(ownRefusals[name] ?? {})))
    }
    const listed = operations.flatMap(({ refusals }) => refusals.map(({ reason }) => reason))
    expect(listed).toEqual(expect.arrayContaining(Object.keys(anyRefusal)))
    expect(reasonNames).toEqual(expect.arrayContaining(listed))
  })
})
