import { request } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { HoldBounds } from '../../../src/platform/servers/holds.ts'
import type { ServerLease, ServerWanted } from '../../../src/platform/servers/servers.ts'
import { deployments, projects } from '../../../src/stores/db/schema/projects.ts'
import { until } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { answering, ending, failing, silent } from './plain-process.ts'
import { closePools, mebibyte, newPool as poolOn, newServer as serverOf } from './pools.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

afterEach(closePools)

type Options = Parameters<typeof poolOn>[1]

const newServer = (given: Parameters<typeof serverOf>[1] = {}) => serverOf(node, given)
const newPool = (options: Options = {}) => poolOn(node, options)

function ask({ path }: ServerLease): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath: path, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      response.once('end', () => resolve(body))
    })
      .once('error', reject)
      .end()
  })
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error) => error.refusal ?? String(error),
  )

describe('a start', () => {
  it('comes with the first request, which gets an answer', async () => {
    const { wanted } = await newServer()
    const { lease, stateOf } = newPool()
    expect(stateOf(wanted)).toBe('stopped')
    const first = await lease(wanted)
    expect(await ask(first)).toMatch(/^\d+$/)
    expect(stateOf(wanted)).toBe('running')
  })

  it('is one for all who come meanwhile, and for whoever comes later', async () => {
    const { wanted } = await newServer()
    const { lease, processes } = newPool()
    const leases = await Promise.all(Array.from({ length: 20 }, () => lease(wanted)))
    leases.push(await lease(wanted))
    expect(new Set(leases.map(({ start }) => start)).size).toBe(1)
    expect(processes).toHaveLength(1)
  })

  it('is another one for the other target, whose variables are others', async () => {
    const { wanted } = await newServer()
    const { lease } = newPool()
    const [preview, production] = [await lease(wanted), await lease({ ...wanted, target: 'production' })]
    expect(production.path).not.toBe(preview.path)
  })

  it('of a deployment that is gone is refused, and leaves nothing behind', async () => {
    const { wanted } = await newServer()
    const { lease, pool } = newPool()
    const gone = { ...wanted, deploymentId: 'dpl_gone' }
    expect(await refusal(lease(gone))).toBe('gone')
    expect(pool.list()).toEqual([])
  })

  it('of a deployment of files alone is refused', async () => {
    const { wanted } = await newServer()
    const { db } = node.installation.store
    await db.update(deployments).set({ server: null }).where(eq(deployments.id, wanted.deploymentId))
    const { lease } = newPool()
    expect(await refusal(lease(wanted))).toBe('gone')
  })

  it('is refused with the reason on a node that runs no servers', async () => {
    const { wanted } = await newServer()
    const { lease, said, clock } = newPool({ problem: 'There is no sandbox here.' })
    await expect(lease(wanted)).rejects.toMatchObject({
      refusal: 'unavailable',
      message: 'There is no sandbox here.',
    })
    await refusal(lease(wanted))
    // A line a minute, for the members.
    expect(said).toEqual(['The server is not started: There is no sandbox here.'])
    clock.nowMs += 60_000
    await refusal(lease(wanted))
    expect(said).toHaveLength(2)
  })

  it('is at most two at a time', async () => {
    let [now, most] = [0, 0]
    const before = async () => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      now -= 1
    }
    const { lease } = newPool({ before })
    const servers = await Promise.all(Array.from({ length: 5 }, () => newServer()))
    await Promise.all(servers.map(({ wanted }) => lease(wanted)))
    expect(most).toBe(2)
  })

  it('is refused where one address wakes servers again and again, while others start theirs', async () => {
    const { wanted } = await newServer()
    const { lease } = newPool({ programs: [ending] })
    const from = (address: string, deploymentId: string) =>
      refusal(lease({ ...wanted, deploymentId, address }))
    const crawled: unknown[] = []
    // One after another: as many that wait at once are refused for that.
    for (let at = 0; at < 40; at += 1) crawled.push(await from('192.0.2.1', `dpl_${at}`))
    expect(crawled.slice(0, 30)).not.toContain('busy')
    expect(crawled.slice(35)).toContain('busy')
    expect(await from('192.0.2.2', 'dpl_other')).toBe('gone')
  })
})

describe('requests that wait for a start', () => {
  const few = { ofAddress: 1, ofServer: 2, ofTeam: 3, ofNode: 4, holdMs: 60_000, longMs: 60_000 }

  /** A pool whose starts go on once they are let. */
  function slowPool(bounds: HoldBounds) {
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    return { ...newPool({ bounds, before: () => gate }), go }
  }

  it('are so many of a server, of a team and of a node, and all others are refused at once', async () => {
    const team = await newTeam(node)
    const [one, two, other, another] = await Promise.all([
      newServer({ team }),
      newServer({ team }),
      newServer(),
      newServer(),
    ])
    const { lease, go } = slowPool(few)
    const held = [lease(one.wanted), lease(one.wanted)]
    expect(await refusal(lease(one.wanted))).toBe('busy')
    held.push(lease(two.wanted))
    expect(await refusal(lease(two.wanted))).toBe('busy')
    held.push(lease(other.wanted))
    expect(await refusal(lease(another.wanted))).toBe('busy')
    go()
    await Promise.all(held)
  })

  it('are so many of one address, which takes no place of others', async () => {
    const [one, other] = await Promise.all([newServer(), newServer()])
    const { lease, go } = slowPool(few)
    const held = [lease({ ...one.wanted, address: '192.0.2.1' })]
    expect(await refusal(lease({ ...other.wanted, address: '192.0.2.1' }))).toBe('busy')
    held.push(lease({ ...other.wanted, address: '192.0.2.2' }))
    go()
    await Promise.all(held)
  })

  it('are refused after their time, while the start goes on', async () => {
    const { wanted } = await newServer()
    const { lease, go, processes, stateOf } = slowPool({ ...few, holdMs: 20 })
    await expect(lease(wanted)).rejects.toMatchObject({ refusal: 'starting', retryAfterMs: 5_000 })
    go()
    await until(() => stateOf(wanted) === 'running')
    await lease(wanted)
    expect(processes).toHaveLength(1)
  })

  it('leave their place to others when the visitor leaves', async () => {
    const { wanted } = await newServer()
    const { pool, lease, go } = slowPool({ ...few, ofServer: 1 })
    const visitor = new AbortController()
    const first = refusal(pool.lease(wanted, visitor.signal))
    expect(await refusal(lease(wanted))).toBe('busy')
    visitor.abort()
    expect(await first).toMatch(/abort/i)
    const second = lease(wanted)
    go()
    expect(await ask(await second)).toMatch(/^\d+$/)
  })
})

describe('a server that ends by itself', () => {
  it('is started again for the next request, and later after longer and longer pauses', async () => {
    const { wanted } = await newServer()
    const { lease, clock, counts, stateOf } = newPool({ programs: [ending] })
    const tries: string[] = []
    for (const pauseMs of [0, 1_000, 2_000, 4_000]) {
      clock.nowMs += pauseMs
      expect(await refusal(lease(wanted))).toBe('crashed')
      tries.push(`${counts.crashed}`)
      // Before its pause is over it isn't started.
      await refusal(lease(wanted))
    }
    expect(tries).toEqual(['1', '3', '4', '5'])
    expect(stateOf(wanted)).toBe('crashed')
  })

  it('says why, to whoever requests it and in the log', async () => {
    const { wanted } = await newServer()
    const { lease, said } = newPool({ programs: [ending] })
    const message = 'The server ended before it listened.'
    await expect(lease(wanted)).rejects.toMatchObject({ message })
    expect(said).toEqual([message])
  })

  it('is crashed at once, also after it has served, and counts how often', async () => {
    const { wanted } = await newServer()
    const { lease, pool, said, processes } = newPool()
    const first = await lease(wanted)
    processes[0]?.kill()
    await until(() => pool.list()[0]?.state === 'crashed')
    expect(pool.list()[0]?.restarts).toBe(1)
    expect(said.at(-1)).toBe('The server was ended by SIGKILL while it was running.')
    first.end('answered')
    const second = await lease(wanted)
    expect(second.start).not.toBe(first.start)
    expect(pool.list()[0]).toMatchObject({ state: 'running', restarts: 1 })
  })

  it('has no pause after a minute of life', async () => {
    const { wanted } = await newServer()
    const { lease, clock, processes, stateOf } = newPool({ programs: [ending, ending, answering] })
    await refusal(lease(wanted))
    await refusal(lease(wanted))
    clock.nowMs += 1_000
    await lease(wanted)
    clock.nowMs += 60_000
    processes[2]?.kill()
    await until(() => stateOf(wanted) === 'crashed')
    await lease(wanted)
    expect(processes).toHaveLength(4)
  })
})

describe('a server that answers nothing', () => {
  it('is killed after three requests in a row, and started anew', async () => {
    const { wanted } = await newServer()
    const { lease, said, stateOf } = newPool({ programs: [silent, answering] })
    for (let requests = 0; requests < 3; requests += 1) (await lease(wanted)).end('silent')
    await until(() => stateOf(wanted) === 'crashed')
    expect(said[0]).toContain('it is killed')
    expect(await ask(await lease(wanted))).toMatch(/^\d+$/)
  })

  it('stays where it answers the request that sees after it', async () => {
    const { wanted } = await newServer()
    const { lease, processes } = newPool()
    const first = await lease(wanted)
    for (let requests = 0; requests < 6; requests += 1) (await lease(wanted)).end('silent')
    await ask(first)
    expect((await lease(wanted)).start).toBe(first.start)
    expect(processes).toHaveLength(1)
  })
})

it('what no visitor gets of answers has a line of each kind, once a minute', async () => {
  const { wanted } = await newServer()
  const { lease, said, clock } = newPool()
  const { noteProblems } = await lease(wanted)
  for (let answers = 0; answers < 3; answers += 1) noteProblems(['wideCookie', 'platformCookie'])
  ;(await lease(wanted)).noteProblems(['wideCookie'])
  expect(said).toEqual([expect.stringContaining('Domain'), expect.stringContaining('svc_')])
  clock.nowMs += 60_000
  noteProblems(['wideCookie'])
  expect(said).toHaveLength(3)
})

describe('a server without requests', () => {
  it('is stopped after its idle time, and not while a request is under way', async () => {
    const [{ wanted }, idle] = [await newServer({ runtime: { idle_s: 60 } }), await newServer()]
    const { lease, clock, processes, stateOf } = newPool()
    const held = await lease(wanted)
    ;(await lease(idle.wanted)).end()
    clock.nowMs += 3_600_000
    // The one that comes after it has been seen to.
    await until(() => stateOf(idle.wanted) === 'stopped')
    expect(stateOf(wanted)).toBe('running')
    held.end('answered')
    clock.nowMs += 59_999
    const late = await lease(wanted)
    late.end()
    expect(late.start).toBe(held.start)
    clock.nowMs += 60_000
    await until(() => stateOf(wanted) === 'stopped')
    expect(await processes[0]?.ended).toMatchObject({ signal: 'SIGTERM' })
    expect((await lease(wanted)).start).not.toBe(held.start)
  })
})

describe('a change', () => {
  it('a deleted project takes its servers with it, also what has crashed', async () => {
    const { wanted, team } = await newServer()
    const { lease, processes, pool } = newPool({ programs: [answering, ending] })
    ;(await lease(wanted)).end()
    await refusal(lease({ ...wanted, target: 'production' }))
    expect(pool.list()).toHaveLength(2)
    expect((await team.owner('DELETE', '/v1/projects/web')).status).toBe(200)
    await until(() => pool.list().length === 0)
    await processes[0]?.ended
    expect(await refusal(lease(wanted))).toBe('gone')
  })

  const restart = async (wanted: ServerWanted) => {
    const { store } = node.installation
    await store.db.update(projects).set({ restartedMs: 2_000_000 }).where(eq(projects.id, wanted.projectId))
    store.changes.publish({ kind: 'project', id: wanted.projectId })
  }

  it('a restart ends what is idle, and the next request starts it anew', async () => {
    const { wanted } = await newServer()
    const { lease, processes, stateOf } = newPool()
    ;(await lease(wanted)).end()
    await restart(wanted)
    await until(() => stateOf(wanted) === 'stopped')
    await lease(wanted)
    expect(processes).toHaveLength(2)
  })

  it('a restart lets requests end, while a new process serves the next ones', async () => {
    const { wanted } = await newServer()
    const { lease, processes, stateOf } = newPool()
    const old = await lease(wanted)
    await restart(wanted)
    await until(() => processes.length === 2 && stateOf(wanted) === 'running')
    const next = await lease(wanted)
    expect(next.start).not.toBe(old.start)
    expect(await ask(old)).not.toBe(await ask(next))
    old.end('answered')
    expect(await processes[0]?.ended).toMatchObject({ signal: 'SIGTERM' })
  })

  it('a restart ends the pause after a crash', async () => {
    const { wanted } = await newServer()
    const { lease, processes, stateOf } = newPool({ programs: [ending, ending, answering] })
    await refusal(lease(wanted))
    await refusal(lease(wanted))
    await restart(wanted)
    await until(() => stateOf(wanted) === 'stopped')
    await lease(wanted)
    expect(processes).toHaveLength(3)
  })

  it('another setting of the project changes nothing', async () => {
    const { wanted, team } = await newServer()
    const { lease, pool } = newPool()
    const first = await lease(wanted)
    first.end()
    await team.owner('PATCH', '/v1/projects/web', { note: 'x' })
    // Once it has looked after this one, it has after the change before.
    const other = await newServer()
    await refusal(lease(other.wanted))
    await other.team.owner('DELETE', '/v1/projects/web')
    await until(() => pool.list().length === 1)
    expect((await lease(wanted)).start).toBe(first.start)
  })
})

describe('room', () => {
  const one = { processes: 1, bytes: 10_000 * mebibyte }

  it('is made by ending what serves nobody', async () => {
    const [first, second] = [await newServer(), await newServer()]
    const { lease, processes, counts, stateOf } = newPool({ room: one })
    ;(await lease(first.wanted)).end()
    await lease(second.wanted)
    expect(await processes[0]?.ended).toMatchObject({ signal: 'SIGTERM' })
    expect(stateOf(first.wanted)).toBe('stopped')
    expect(counts.evicted).toBe(1)
  })

  it('is not made where all serve somebody: the request is refused, and can come again', async () => {
    const [first, second] = [await newServer(), await newServer()]
    const { lease, pool } = newPool({ room: one })
    const held = await lease(first.wanted)
    await expect(lease(second.wanted)).rejects.toMatchObject({ refusal: 'busy', retryAfterMs: 5_000 })
    expect(pool.list()).toHaveLength(1)
    held.end()
    await lease(second.wanted)
  })

  it('is made by closing WebSockets of previews that were open for an hour', async () => {
    const [first, second] = [await newServer(), await newServer()]
    const { lease, clock, processes, stateOf } = newPool({ room: one })
    const held = await lease(first.wanted)
    const goesAway = held.holdSocket().then((hasToGo) => {
      held.end()
      return hasToGo
    })
    clock.nowMs += 60 * 60_000 - 1
    expect(await refusal(lease(second.wanted))).toBe('busy')
    clock.nowMs += 1
    await lease(second.wanted)
    expect(await goesAway).toBe(true)
    expect(await processes[0]?.ended).toMatchObject({ signal: 'SIGTERM' })
    expect(stateOf(first.wanted)).toBe('stopped')
  })

  it('is not made by closing a WebSocket beside which a request is under way', async () => {
    const [first, second] = [await newServer(), await newServer()]
    const { lease, clock } = newPool({ room: one })
    const [held, request] = [await lease(first.wanted), await lease(first.wanted)]
    const goesAway = held.holdSocket()
    clock.nowMs += 60 * 60_000
    expect(await refusal(lease(second.wanted))).toBe('busy')
    request.end()
    held.end()
    expect(await goesAway).toBe(false)
    expect(await held.holdSocket()).toBe(false)
  })

  it('is never shared by two starts that have room for one', async () => {
    const servers = await Promise.all([newServer(), newServer()])
    let begun = 0
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const before = () => {
      begun += 1
      return gate
    }
    const { lease, processes } = newPool({ room: one, before })
    const done = servers.map(({ wanted }) => refusal(lease(wanted)))
    await Promise.race([...done, until(() => begun === 2)])
    goOn()
    expect((await Promise.all(done)).sort()).toEqual(['busy', 'none'])
    expect(processes).toHaveLength(1)
  })

  it('counts memory, by what a server may use until that is measured', async () => {
    const [first, second] = [await newServer(), await newServer()]
    const { lease } = newPool({ room: { processes: 10, bytes: 1_000 * mebibyte } })
    await lease(first.wanted)
    expect(await refusal(lease(second.wanted))).toBe('busy')
  })

  it('is too little for a server that may use more than all together: it says so', async () => {
    const { wanted } = await newServer()
    const { lease } = newPool({ room: { processes: 10, bytes: 100 * mebibyte } })
    await expect(lease(wanted)).rejects.toMatchObject({
      refusal: 'crashed',
      message: expect.stringContaining('512 MiB, and this node has 100 MiB'),
    })
  })

  it('for what an untrusted deployment may use is 256 MiB, and one process a project', async () => {
    const { wanted, team } = await newServer({ untrusted: true })
    const other = await newServer({ untrusted: true, team })
    const { lease, stateOf } = newPool({ room: { processes: 10, bytes: 600 * mebibyte } })
    const held = await lease(wanted)
    expect(await refusal(lease(other.wanted))).toBe('busy')
    held.end()
    await lease(other.wanted)
    expect(stateOf(wanted)).toBe('stopped')
  })
})

describe('a node that stops', () => {
  it('ends its servers with SIGTERM, and refuses whoever comes', async () => {
    const { wanted } = await newServer()
    const { lease, pool, processes, counts } = newPool()
    await lease(wanted)
    await pool.close(10_000)
    expect(await processes[0]?.ended).toMatchObject({ signal: 'SIGTERM' })
    expect(await refusal(lease(wanted))).toBe('unavailable')
    expect(counts.crashed).toBe(0)
  })

  it('kills what does not end in time', async () => {
    const { wanted } = await newServer()
    const stubborn = `process.on('SIGTERM', () => {}); ${answering}`
    const { lease, pool, processes } = newPool({ programs: [stubborn] })
    await lease(wanted)
    await pool.close(10)
    expect(await processes[0]?.ended).toMatchObject({ signal: 'SIGKILL' })
  })

  it('ends what is starting, too', async () => {
    const { wanted } = await newServer()
    const { lease, pool, processes } = newPool({ programs: ['setInterval(() => {}, 1000)'] })
    const first = refusal(lease(wanted))
    await until(() => processes.length === 1)
    await pool.close(5_000)
    expect(await first).toBe('unavailable')
    await processes[0]?.ended
  })
})

it('whoever listens gets to know of each change of the list', async () => {
  const { wanted } = await newServer()
  const { lease, pool } = newPool()
  const states: (string | undefined)[] = []
  const stop = pool.onChange(() => states.push(pool.list()[0]?.state))
  await lease(wanted)
  expect(new Set(states)).toEqual(new Set(['starting', 'running']))
  stop()
  await pool.close(5_000)
  expect(states).not.toContain(undefined)
})

describe('the next server of a site', () => {
  const times = { maxMs: 20_000, againMs: 5, settledMs: 5 }

  async function pairOf(options: Options = {}) {
    const { team, wanted: old } = await newServer()
    const { wanted: next } = await newServer({ team })
    const made = newPool({ times, ...options })
    const lease = await made.lease(old)
    lease.end()
    return { ...made, old, next, team }
  }

  it('is due at once where the old one does not run', async () => {
    const [{ wanted: old }, { wanted: next }] = [await newServer(), await newServer()]
    const { pool, processes } = newPool({ times })
    expect(await pool.isRunning(old)).toBe(false)
    await pool.takeOver(old, next)
    expect(processes).toHaveLength(0)
  })

  it('is started beside the old one, which ends with its WebSockets once that answers', async () => {
    const { pool, lease, old, next, stateOf, processes } = await pairOf()
    const socket = (await lease(old)).holdSocket()
    await Promise.all([pool.takeOver(old, next), pool.takeOver(old, next)])
    expect(stateOf(next)).toBe('running')
    expect(await socket).toBe(true)
    await until(() => stateOf(old) === 'stopped')
    expect(processes).toHaveLength(2)
  })

  it('that does not start is due after its time, and says why', async () => {
    const { pool, old, next, stateOf, said } = await pairOf({
      programs: [answering, ending],
      times: { ...times, maxMs: 300 },
    })
    const before = performance.now()
    await pool.takeOver(old, next)
    expect(performance.now() - before).toBeGreaterThan(250)
    await until(() => stateOf(next) === 'crashed')
    expect(said.join()).toContain('ended before it listened')
    await until(() => stateOf(old) === 'stopped')
  })

  it('leaves the old one where that gets requests all the same', async () => {
    const { pool, lease, old, next, stateOf, processes } = await pairOf({
      times: { ...times, settledMs: 400 },
    })
    await pool.takeOver(old, next)
    const endMs = performance.now() + 1_200
    while (performance.now() < endMs) {
      ;(await lease(old)).end()
      await nextTurn()
    }
    expect(stateOf(old)).toBe('running')
    expect(processes).toHaveLength(2)
  })

  it('is not due while its health path is not answered as it should', async () => {
    const { team, wanted: old } = await newServer()
    const { wanted: next } = await newServer({ team, project: 'sick', runtime: { health_path: '/' } })
    const { pool, lease } = newPool({
      programs: [answering, failing],
      times: { ...times, maxMs: 300 },
    })
    ;(await lease(old)).end()
    const before = performance.now()
    await pool.takeOver(old, next)
    expect(performance.now() - before).toBeGreaterThan(250)
  })

  it('has the place of the old one where there is no other, and its requests wait for that', async () => {
    const { pool, lease, old, next, stateOf } = await pairOf({
      room: { processes: 1, bytes: 10_000 * mebibyte },
    })
    const busy = await lease(old)
    await pool.takeOver(old, next)
    const waiting = lease(next)
    busy.end()
    expect(await ask(await waiting)).toMatch(/^\d+$/)
    expect(stateOf(old)).toBe('stopped')
  })

  it('takes no place from the old one where that would not be enough', async () => {
    const of = (mebibytes: number) => ({ runtime: { memory_bytes: mebibytes * mebibyte } })
    const [{ wanted: other }, { team, wanted: old }] = [await newServer(of(512)), await newServer(of(256))]
    const { wanted: next } = await newServer({ team, project: 'large', ...of(700) })
    const room = { processes: 10, bytes: 1_000 * mebibyte }
    const { pool, lease, stateOf } = newPool({ room, times: { ...times, maxMs: 300, settledMs: 60_000 } })
    const [busy, used] = [await lease(other), await lease(old)]
    const before = performance.now()
    await pool.takeOver(old, next)
    expect(performance.now() - before).toBeGreaterThan(250)
    expect(stateOf(old)).toBe('running')
    for (const each of [busy, used]) each.end()
  })
})
