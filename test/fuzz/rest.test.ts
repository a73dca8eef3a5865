/** Generated calls to every operation of the document: no 5xx, no undocumented response, no leak. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations as documented } from '../api/server/contract/operations.ts'
import { startOwnNode } from '../stores/db/own-node.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { jwtSecret } from '../support/enforcing-node.ts'
import type { TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { callOf, toRequest } from './calls.ts'
import { type Client, openClient } from './client.ts'
import { brokenInvariants, heapMegabytes, rowsOf, watchLog } from './invariants.ts'
import { problemsOf, restProblemsOf } from './judge.ts'
import { type Operation, operationAt, readOperations } from './operations.ts'
import { type Result, run, runsOf } from './run.ts'
import { newVictim, type Victim } from './victim.ts'
import { jwtOf, newFleetingWorld, newWorld, type World } from './world.ts'

let dns: DnsServer
let node: TestNode
let operations: Operation[]
let client: Client
let victim: Victim
let stranger: string
let before: Record<string, string[]>
let world: World
let errors: () => string[]
let startMegabytes: number
let startedCpu: NodeJS.CpuUsage
let startedMs: number
/** All at once, as clients call: each operation's calls are in its own test. */
let results: Map<string, Promise<Result>>

const names = documented.map(({ name }) => name)

beforeAll(async () => {
  dns = await startDnsServer()
  node = await startOwnNode({ SVC_JWT_SECRET: jwtSecret, SVC_RESOLVERS: dns.address })
  operations = await readOperations(node)
  client = openClient(node.apiUrl)
  victim = await newVictim(node, dns)
  stranger = await jwtOf(client, (await newTeam(node)).ownerKey)
  before = await rowsOf(node, victim)
  world = await newWorld(node, client, dns, victim, stranger)
  errors = watchLog(node)
  startMegabytes = heapMegabytes()
  startedCpu = process.cpuUsage()
  startedMs = performance.now()
  results = new Map(names.map((name) => [name, callAll(name)]))
})

afterAll(async () => {
  await Promise.allSettled(results.values())
  await client.close()
  await node.stop()
  await dns.close()
})

async function callAll(name: string): Promise<Result> {
  const operation = operations.find((each) => each.name === name)
  if (!operation) throw new Error(`There is no operation ${name}.`)
  const fleeting = name === 'teams.put' || name === 'teams.delete'
  const { pool, authorization, learn } = fleeting
    ? await newFleetingWorld(node, client, victim, stranger)
    : world
  return run({
    name,
    drawn: callOf(operation),
    runs: runsOf(200),
    prepare: (call) => toRequest(call, pool, authorization(call.who)),
    send: client.send,
    judge(sent, answer) {
      const problems = [...problemsOf(sent, answer, victim), ...restProblemsOf(sent, answer)]
      const met = operationAt(operations, sent.method, sent.path)
      // A head that is too long reaches no operation, as the document says.
      const undeclared =
        answer.status !== 431 && met && sent.method !== 'HEAD'
          ? met.problem(answer.status, answer.body)
          : undefined
      return undeclared ? [...problems, undeclared] : problems
    },
    learn: (_sent, answer) => learn(name, answer),
  })
}

describe('generated calls to', { timeout: 30 * 60_000 }, () => {
  it.each(names)('%s', async (name) => {
    const result = await results.get(name)
    expect(result?.failure).toBeUndefined()
  })

  it('leave another team as it was', async () => {
    await Promise.all(results.values())
    expect(await rowsOf(node, victim)).toEqual(before)
  })

  it('leave no contradiction in the database', async () => {
    await Promise.all(results.values())
    expect(await brokenInvariants(node)).toEqual([])
  })

  it('log no error', async () => {
    await Promise.all(results.values())
    expect(errors()).toEqual([])
  })

  it('leak no memory', async () => {
    await Promise.all(results.values())
    expect(heapMegabytes() - startMegabytes).toBeLessThan(150)
  })

  it('leave a node that responds', async () => {
    const all = await Promise.all(results.values())
    const sum = all.reduce((calls, each) => calls + each.calls, 0)
    const statuses = new Map<number, number>()
    for (const each of all)
      for (const [status, count] of each.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
    const { user, system } = process.cpuUsage(startedCpu)
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    const summary = `${sum} calls in ${seconds} s, ${Math.round((user + system) / 1e6)} s of them at work`
    process.stdout.write(`${summary}: ${JSON.stringify([...statuses])}\n`)
    expect((await fetch(new URL('/readyz', node.apiUrl))).status).toBe(200)
  })
})
