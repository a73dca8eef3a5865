/** The servers of a node in its other processes. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createChannel } from '../../../src/operate/node/processes/channel.ts'
import type { AnswerProblem } from '../../../src/platform/servers/answer-problems.ts'
import { remoteServers, serveServers } from '../../../src/platform/servers/serve-servers.ts'
import {
  type LeaseOutcome,
  noServers,
  ServerRefused,
  type Servers,
} from '../../../src/platform/servers/servers.ts'
import { compile } from '../../stores/data-dir/compiled.ts'
import { until } from '../../support/eventually.ts'
import { answering, startPlain } from './plain-process.ts'

const wanted = { teamId: 'team_1', projectId: 'prj_1', deploymentId: 'dpl_1', target: 'preview' } as const

let compiled: string
let children: ChildProcess[] = []

beforeAll(async () => {
  compiled = await compile('operate/node/processes/channel.ts', 'platform/servers/serve-servers.ts')
  // Leases a server, asks it, and has it until it ends.
  await writeFile(
    join(compiled, 'lessee.js'),
    `import { get } from 'node:http'
     import { createChannel } from './dist/operate/node/processes/channel.js'
     import { remoteServers } from './dist/platform/servers/serve-servers.js'
     const first = createChannel({}, (message) => process.send(message))
     process.on('message', first.receive)
     const servers = remoteServers({
       leaseServer: (lease) => first.request('leaseServer', lease),
       holdSocket: (socket) => first.request('holdSocket', socket),
       isServerRunning: (key) => first.request('isServerRunning', key),
       takeOverServer: (of) => first.request('takeOverServer', of),
       noteProblems: (noted) => first.notify('noteProblems', noted),
       endServerLease: (lease) => first.notify('endServerLease', lease),
     })
     const wanted = JSON.parse(process.argv[2])
     const lease = await servers.lease(wanted, new AbortController().signal)
     get({ socketPath: lease.path, agent: false }, (response) =>
       response.on('data', (body) => console.log(String(body))))`,
  )
}, 120_000)

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
})

/** Servers whose leases are counted; each waits until it is let, or the wait ends. */
function countedServers(path = '/run/s') {
  const counts = { leased: 0, waiting: 0 }
  const outcomes: (LeaseOutcome | undefined)[] = []
  const problems: AnswerProblem[] = []
  /** Says of each WebSocket whether it has to go. */
  const sockets: ((hasToGo: boolean) => void)[] = []
  let isOpen = true
  const waits: (() => void)[] = []
  const servers: Servers = {
    isRunning: async ({ deploymentId }) => deploymentId === wanted.deploymentId,
    takeOver: (old, next) =>
      old.deploymentId === next.deploymentId
        ? Promise.reject(new Error('There is none.'))
        : Promise.resolve(),
    async lease(_wanted, signal) {
      if (!isOpen) {
        counts.waiting += 1
        await new Promise<void>((resolve, reject) => {
          waits.push(resolve)
          signal.addEventListener('abort', () => reject(signal.reason))
        }).finally(() => {
          counts.waiting -= 1
        })
      }
      counts.leased += 1
      return {
        path,
        start: 'first',
        noteProblems: (given) => void problems.push(...given),
        holdSocket: () => new Promise((resolve) => void sockets.push(resolve)),
        end(outcome) {
          counts.leased -= 1
          outcomes.push(outcome)
        },
      }
    },
  }
  const gate = {
    close: () => {
      isOpen = false
    },
    open: () => {
      for (const go of waits.splice(0)) go()
    },
  }
  return { servers, counts, outcomes, problems, sockets, gate }
}

/** The servers as another process sees them, by messages that are text. */
function connect(servers: Servers) {
  const { release, ...service } = serveServers(servers)
  const carry = (receive: (message: unknown) => void) => (message: object) => {
    const text = JSON.stringify(message)
    setImmediate(() => receive(JSON.parse(text)))
  }
  const there = createChannel<typeof service>(
    {},
    carry((message) => here.receive(message)),
  )
  const here = createChannel<Record<string, never>>(
    service,
    carry((message) => there.receive(message)),
  )
  const remote = remoteServers({
    leaseServer: (lease) => there.request('leaseServer', lease),
    holdSocket: (socket) => there.request('holdSocket', socket),
    isServerRunning: (key) => there.request('isServerRunning', key),
    takeOverServer: (of) => there.request('takeOverServer', of),
    noteProblems: (noted) => there.notify('noteProblems', noted),
    endServerLease: (lease) => there.notify('endServerLease', lease),
  })
  return { remote, release }
}

const never = () => new AbortController().signal

describe('another process of the node', () => {
  it('gets the socket and the start, and ends the lease once with how it went', async () => {
    const { servers, counts, outcomes } = countedServers()
    const { remote } = connect(servers)
    const lease = await remote.lease(wanted, never())
    expect(lease).toMatchObject({ path: '/run/s', start: 'first' })
    expect(counts.leased).toBe(1)
    lease.end('silent')
    lease.end()
    await until(() => counts.leased === 0)
    const other = await remote.lease(wanted, never())
    other.end()
    await until(() => outcomes.length === 2)
    expect(outcomes).toEqual(['silent', undefined])
  })

  it('says what it drops from answers', async () => {
    const { servers, problems } = countedServers()
    const { remote } = connect(servers)
    const lease = await remote.lease(wanted, never())
    lease.noteProblems(['wideCookie', 'alternative'])
    await until(() => problems.length === 2)
    expect(problems).toEqual(['wideCookie', 'alternative'])
  })

  it('learns whether a server runs, and once its next one takes over', async () => {
    const { remote } = connect(countedServers().servers)
    const other = { ...wanted, deploymentId: 'dpl_2' }
    expect([await remote.isRunning(wanted), await remote.isRunning(other)]).toEqual([true, false])
    await remote.takeOver(wanted, other)
    // What fails there is nothing to wait for.
    await remote.takeOver(wanted, wanted)
  })

  it('learns that a WebSocket has to go, and that none has to once its lease is over', async () => {
    const { servers, counts, sockets } = countedServers()
    const { remote } = connect(servers)
    const lease = await remote.lease(wanted, never())
    const goesAway = lease.holdSocket()
    await until(() => sockets.length === 1)
    sockets[0]?.(true)
    expect(await goesAway).toBe(true)
    lease.end()
    await until(() => counts.leased === 0)
    expect(await lease.holdSocket()).toBe(false)
  })

  it('gets a refusal with its reason, its sentence and its pause', async () => {
    const { remote } = connect({
      ...noServers,
      async lease() {
        throw new ServerRefused('busy', 'There is no room.', 5_000)
      },
    })
    const refused = await remote.lease(wanted, never()).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ServerRefused)
    expect(refused).toMatchObject({ refusal: 'busy', message: 'There is no room.', retryAfterMs: 5_000 })
  })

  it('ends its wait when the visitor leaves', async () => {
    const { servers, counts, gate } = countedServers()
    gate.close()
    const { remote } = connect(servers)
    const visitor = new AbortController()
    const leased = remote.lease(wanted, visitor.signal)
    await until(() => counts.waiting === 1)
    visitor.abort(new Error('The visitor has left.'))
    await expect(leased).rejects.toThrow('The visitor has left.')
    await until(() => counts.waiting === 0)
    expect(counts.leased).toBe(0)
  })

  it('keeps no lease that is granted in the moment in which the visitor leaves', async () => {
    const { servers, counts, outcomes, gate } = countedServers()
    gate.close()
    const { remote } = connect(servers)
    const visitor = new AbortController()
    const leased = remote.lease(wanted, visitor.signal)
    await until(() => counts.waiting === 1)
    gate.open()
    visitor.abort(new Error('The visitor has left.'))
    await expect(leased).rejects.toThrow('The visitor has left.')
    await until(() => outcomes.length === 1)
    expect(counts.leased).toBe(0)
  })

  it('has given all back once it has ended, and what it waited for, too', async () => {
    const { servers, counts, gate } = countedServers()
    const { remote, release } = connect(servers)
    await remote.lease(wanted, never())
    gate.close()
    const waiting = remote.lease(wanted, never())
    waiting.catch(() => {})
    await until(() => counts.waiting === 1)
    release()
    await until(() => counts.waiting === 0)
    expect(counts.leased).toBe(0)
    await expect(remote.lease(wanted, never())).rejects.toThrow('The process has ended.')
  })
})

/** A process that leases the server, and the answer that it got. */
async function startLessee(servers: Servers): Promise<{ child: ChildProcess; answer: string }> {
  const child = fork(join(compiled, 'lessee.js'), [JSON.stringify(wanted)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [],
  })
  children.push(child)
  const { release, ...service } = serveServers(servers)
  const channel = createChannel<Record<string, never>>(service, (message) => child.send(message))
  child.on('message', channel.receive).once('exit', release)
  if (!child.stdout) throw new Error('The process has no output.')
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, answer: String(line) }
}

it('two processes connect to one server themselves, and one that was killed holds it no longer', async () => {
  const server = await startPlain(answering)
  await server.listening
  const { servers, counts } = countedServers(server.socketPath)
  const [one, other] = await Promise.all([startLessee(servers), startLessee(servers)])
  expect(one.answer).toBe(other.answer)
  expect(counts.leased).toBe(2)
  one.child.kill('SIGKILL')
  await until(() => counts.leased === 1)
  server.kill()
  await server.ended
})
