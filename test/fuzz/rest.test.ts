/** Drawn calls to every operation of the document: no 5xx, no answer that the document doesn't tell of, no leak. */
import { afterAll, describe, expect, it } from 'vitest'
import { startOwnNode } from '../db/own-node.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { jwtSecret } from '../support/enforcing-node.ts'
import { newTeam } from '../support/team.ts'
import { callOf, toRequest } from './calls.ts'
import { openClient } from './client.ts'
import { brokenInvariants, heapMegabytes, rowsOf, watchLog } from './invariants.ts'
import { problemsOf, restProblemsOf } from './judge.ts'
import { operationAt, readOperations } from './operations.ts'
import { type Result, run, runsOf } from './run.ts'
import { newVictim } from './victim.ts'
import { jwtOf, newFleetingWorld, newWorld } from './world.ts'

const dns = await startDnsServer()
const node = await startOwnNode({ SVC_JWT_SECRET: jwtSecret, SVC_RESOLVERS: dns.address })
const operations = await readOperations(node)
const client = openClient(node.apiUrl)
const victim = await newVictim(node, dns)
const stranger = await jwtOf(client, (await newTeam(node)).ownerKey)
const before = await rowsOf(node, victim)
const world = await newWorld(node, client, dns, victim, stranger)
const errors = watchLog(node)
const startMegabytes = heapMegabytes()
const startedCpu = process.cpuUsage()
const startedMs = performance.now()

/** All at once, as clients call: each operation's calls stand in its own test. */
const results = new Map(operations.map((operation) => [operation.name, callAll(operation.name)]))

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
      // Too long a head comes to no operation, as the document says.
      const undeclared =
        answer.status !== 431 && met && sent.method !== 'HEAD'
          ? met.problem(answer.status, answer.body)
          : undefined
      return undeclared ? [...problems, undeclared] : problems
    },
    learn: (_sent, answer) => learn(name, answer),
  })
}

describe('drawn calls to', { timeout: 30 * 60_000 }, () => {
  it.each(operations.map(({ name }) => name))('%s', async (name) => {
    const result = await results.get(name)
    expect(result?.failure).toBeUndefined()
  })

  it('leave another team as it was', async () => {
    await Promise.all(results.values())
    expect(await rowsOf(node, victim)).toEqual(before)
  })

  it('leave nothing in the database that contradicts itself', async () => {
    await Promise.all(results.values())
    expect(await brokenInvariants(node)).toEqual([])
  })

  it('log no error', async () => {
    await Promise.all(results.values())
    expect(errors()).toEqual([])
  })

  it('leave nothing in memory', async () => {
    await Promise.all(results.values())
    expect(heapMegabytes() - startMegabytes).toBeLessThan(150)
  })

  it('leave a node that answers', async () => {
    const all = await Promise.all(results.values())
    const sum = all.reduce((calls, each) => calls + each.calls, 0)
    const statuses = new Map<number, number>()
    for (const each of all)
      for (const [status, count] of each.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
    const { user, system } = process.cpuUsage(startedCpu)
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    const told = `${sum} calls in ${seconds} s, ${Math.round((user + system) / 1e6)} s of them at work`
    process.stdout.write(`${told}: ${JSON.stringify([...statuses])}\n`)
    expect((await fetch(new URL('/readyz', node.apiUrl))).status).toBe(200)
  })
})
