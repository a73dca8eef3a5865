/** The uids of builds in the processes of a node. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createChannel } from '../../../src/operate/node/processes/channel.ts'
import { createUids, serveUids, type Uids } from '../../../src/platform/sandbox/uids.ts'
import { compile } from '../../stores/data-dir/compiled.ts'

const all = 4_336
const uidsSchema = z.array(z.number())

let compiled: string
let children: ChildProcess[] = []

beforeAll(async () => {
  compiled = await compile('operate/node/processes/channel.ts', 'platform/sandbox/uids.ts')
  // Takes as many as its argument says, and has them until it ends.
  await writeFile(
    join(compiled, 'taker.js'),
    `import { createChannel } from './dist/operate/node/processes/channel.js'
     import { remoteUids } from './dist/platform/sandbox/uids.js'
     const first = createChannel({}, (message) => process.send(message))
     process.on('message', first.receive)
     const uids = remoteUids({
       takeUid: () => first.request('takeUid', undefined),
       giveUidBack: (uid) => first.notify('giveUidBack', uid),
     })
     const taken = await Promise.all(Array.from({ length: Number(process.argv[2]) }, uids.take))
     console.log(JSON.stringify(taken))`,
  )
}, 120_000)

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  vi.restoreAllMocks()
})

/** A process that takes `count` uids of those that this one keeps. */
async function startTaker(uids: Uids, count: number): Promise<{ child: ChildProcess; taken: number[] }> {
  const child = fork(join(compiled, 'taker.js'), [String(count)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [],
  })
  children.push(child)
  const { release, ...service } = serveUids(uids)
  const channel = createChannel<Record<string, never>>(service, (message) => child.send(message))
  child.on('message', channel.receive).once('exit', release)
  if (!child.stdout) throw new Error('The process has no output.')
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, taken: uidsSchema.parse(JSON.parse(String(line))) }
}

const nobody = async () => new Set<number>()

const takeHere = (uids: Uids, count: number) => Promise.all(Array.from({ length: count }, () => uids.take()))

it('no two processes have the same, and one that was killed leaves its own to the others', async () => {
  const uids = createUids(nobody)
  const here = takeHere(uids, 1_000)
  const [one, other] = await Promise.all([startTaker(uids, 1_500), startTaker(uids, 1_500)])
  const taken = [...(await here), ...one.taken, ...other.taken]
  expect(new Set(taken).size).toBe(4_000)
  expect(Math.min(...taken)).toBeGreaterThanOrEqual(61_184)
  expect(Math.max(...taken)).toBeLessThan(61_184 + all)

  one.child.kill('SIGKILL')
  await once(one.child, 'exit')
  const left = await takeHere(uids, all - 2_500)
  expect(new Set([...(await here), ...left, ...other.taken]).size).toBe(all)
  await expect(uids.take()).rejects.toThrow('No uid is left')
})

it('a process gives back what it has, and nothing that another one has', async () => {
  const uids = createUids(nobody)
  const [one, other] = [serveUids(uids), serveUids(uids)]
  const uid = await one.takeUid()
  await takeHere(uids, all - 1)
  other.giveUidBack(uid)
  await expect(other.takeUid()).rejects.toThrow('No uid is left')
  one.giveUidBack(uid)
  expect(await other.takeUid()).toBe(uid)
})

it.runIf(process.getuid?.() === 0)('none is taken that a process has, whoever started that', async () => {
  const uid = 61_184
  const other = spawn('sleep', ['1000'], { uid })
  children.push(other)
  await once(other, 'spawn')
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const uids = createUids()
  expect(await takeHere(uids, 2)).not.toContain(uid)
})

it('a process that has ended takes no more', async () => {
  const { takeUid, release } = serveUids(createUids(nobody))
  release()
  await expect(takeUid()).rejects.toThrow('The process has ended.')
})
