import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isLocked, lockDataDirectory } from '../../../src/stores/data-dir/lock.ts'
import { ownIdentity } from '../../../src/stores/data-dir/process-identity.ts'
import { eventually } from '../../support/eventually.ts'
import { isShort } from '../../support/short.ts'
import { compile } from './compiled.ts'

const noOne = 2 ** 22 + 1 // above the largest pid of Linux and macOS
const elsewhere = { pid: noOne, boot_id: null, start_time: null }

const canUnshare = await promisify(execFile)('unshare', ['--pid', '--fork', '--mount-proc', 'true']).then(
  () => true,
  () => false,
)

let compiled: string
let directory: string
let children: ChildProcess[] = []

beforeAll(async () => {
  compiled = await compile('stores/data-dir/lock.ts')
  // Takes the lock, reports that on its output, and releases it when its input ends.
  await writeFile(
    join(compiled, 'holder.js'),
    `import { lockDataDirectory } from './dist/stores/data-dir/lock.js'
     const lock = await lockDataDirectory(process.argv[2])
     console.log('held by ' + process.pid)
     process.stdin.on('end', () => lock.release()).resume()`,
  )
  // Takes the lock when it receives a directory, reports the result, and releases it when it receives
  // 'release'.
  await writeFile(
    join(compiled, 'rival.js'),
    `import { lockDataDirectory } from './dist/stores/data-dir/lock.js'
     let lock
     process.on('message', async (message) => {
       if (message === 'release') {
         await lock?.release()
         lock = undefined
         process.send('released')
       } else {
         lock = await lockDataDirectory(message, { waitMs: 0 }).catch(() => undefined)
         process.send(lock ? 'held' : 'refused')
       }
     })
     process.send('ready')`,
  )
})

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'svc-lock-')), 'data')
})

afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  for (const child of children) child.kill('SIGKILL')
  children = []
  await rm(join(directory, '..'), { recursive: true })
})

afterAll(() => rm(compiled, { recursive: true }))

/** A process that holds the lock; `through` is a shell command that runs it as "$@". */
async function startHolder(through?: string): Promise<{ child: ChildProcess; pid: number }> {
  const command = [process.execPath, join(compiled, 'holder.js'), directory]
  const [program = '', ...args] = through ? ['sh', '-c', through, 'sh', ...command] : command
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, pid: Number(/\d+$/.exec(String(line))?.[0]) }
}

/** Replaces reading a file with `intercept`, which can still read with `read`. */
function interceptReads(intercept: (path: string, read: typeof fs.readFile) => Promise<string>): void {
  const { readFile } = fs
  vi.spyOn(fs, 'readFile').mockImplementation((path) => intercept(String(path), readFile))
  syncBuiltinESMExports()
}

async function plant(content: unknown): Promise<void> {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'lock'), typeof content === 'string' ? content : JSON.stringify(content))
}

function refusal(pid: number) {
  return expect.objectContaining({
    name: 'DataDirectoryInUseError',
    pid,
    message:
      `The data directory ${directory} is in use by process ${pid}: ` +
      'stop that one, or set another SVC_DATA_DIR.',
  })
}

/**
 * Takes the lock at once, and checks that it is this process's and that nothing else is left in the
 * directory.
 */
async function expectFree(): Promise<void> {
  const lock = await lockDataDirectory(directory, { waitMs: 0 })
  expect(JSON.parse(await readFile(join(directory, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid })
  expect(await readdir(directory)).toEqual(['lock', 'lock.sock'])
  await lock.release()
}

async function expectTaken(pid: number): Promise<void> {
  const before = await readdir(directory)
  await expect(lockDataDirectory(directory, { waitMs: 0 })).rejects.toEqual(refusal(pid))
  expect(await readdir(directory)).toEqual(before)
}

describe('a free data directory', () => {
  it('is created for its owner only when it is missing', async () => {
    await lockDataDirectory(directory)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
  })

  it('is marked with the process that takes it', async () => {
    await lockDataDirectory(directory)
    const content = JSON.parse(await readFile(join(directory, 'lock'), 'utf8'))
    expect(content).toMatchObject(await ownIdentity())
    const [seconds = 0] = (await readFile('/proc/uptime', 'utf8')).split(' ').map(Number)
    // Clock ticks are hundredths of a second on every Linux that Node.js runs on.
    expect(content.start_time / 100).toBeCloseTo(seconds - process.uptime(), -1)
  })

  it('is free again after the release', async () => {
    await (await lockDataDirectory(directory)).release()
    expect(await readdir(directory)).toEqual([])
    await expectFree()
  })

  it('stays with the next holder when the previous one releases twice', async () => {
    const first = await lockDataDirectory(directory)
    await first.release()
    await lockDataDirectory(directory)
    await first.release()
    await expectTaken(process.pid)
  })
})

describe('a live holder', () => {
  it('keeps others out, with its pid in their error', async () => {
    const { pid } = await startHolder()
    await expectTaken(pid)
  })

  it('keeps out another part of its own process', async () => {
    await lockDataDirectory(directory)
    await expectTaken(process.pid)
  })

  it('is waited for', async () => {
    const { child } = await startHolder()
    const waiting = lockDataDirectory(directory, { waitMs: 5000 })
    child.stdin?.end()
    await waiting
    expect(JSON.parse(await readFile(join(directory, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid })
  })

  it('is waited for no longer than the given time', async () => {
    const { pid } = await startHolder()
    const beganMs = performance.now()
    await expect(lockDataDirectory(directory, { waitMs: 150 })).rejects.toEqual(refusal(pid))
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(149)
    expect(performance.now() - beganMs).toBeLessThan(2000)
  })

  it('is recognized although its name looks like the fields that follow it', async () => {
    const program = join(directory, '..', 'x) Z 1 (y')
    await copyFile('/bin/sleep', program)
    const child = spawn(program, ['60'])
    children.push(child)
    await once(child, 'spawn')
    await plant({ ...elsewhere, pid: child.pid })
    await expectTaken(Number(child.pid))
  })
})

describe('a stale lock is taken over', () => {
  it('when its process was killed', async () => {
    const { child, pid } = await startHolder()
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(JSON.parse(await readFile(join(directory, 'lock'), 'utf8'))).toMatchObject({ pid })
    await expectFree()
  })

  it('when its process is a zombie', async () => {
    // The shell becomes a program that never waits for its child.
    const { pid } = await startHolder('"$@" & exec sleep 60')
    process.kill(pid, 'SIGKILL')
    await eventually(async () => expect(await readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '))
    await expectFree()
  })

  it('when another process has its pid now', async () => {
    const own = await ownIdentity()
    await plant({ ...own, start_time: Number(own.start_time) - 1 })
    await expectFree()
  })

  it('when the machine was rebooted since', async () => {
    await plant({ ...(await ownIdentity()), boot_id: '00000000-0000-4000-8000-000000000000' })
    await expectFree()
  })

  it.each(['', 'x', '{"pid":', '{}', 'null', '[1]'])('when it is invalid: %j', async (content) => {
    await plant(content)
    await expectFree()
  })

  it('with the remains of a process that died while it took one over', async () => {
    await plant(elsewhere)
    await writeFile(join(directory, 'lock.takeover-1'), JSON.stringify(elsewhere))
    await writeFile(join(directory, 'lock.draft-1'), JSON.stringify(elsewhere))
    await expectFree()
  })

  it('by one process at a time', async () => {
    await plant(elsewhere)
    const other = join(directory, 'lock.takeover-1')
    await writeFile(other, JSON.stringify(await ownIdentity()))
    const waiting = lockDataDirectory(directory, { waitMs: 0 })
    await sleep(50)
    expect(JSON.parse(await readFile(join(directory, 'lock'), 'utf8'))).toEqual(elsewhere)
    await rm(other)
    await waiting
  })

  it('but not waited for forever, when a live process never finishes taking it over', async () => {
    await plant(elsewhere)
    await writeFile(join(directory, 'lock.takeover-1'), JSON.stringify(await ownIdentity()))
    await expect(lockDataDirectory(directory, { waitMs: 0 })).rejects.toEqual(refusal(process.pid))
  })

  it('but not removed again when another process did so and took it meanwhile', async () => {
    await plant(elsewhere)
    const ownLock = await ownIdentity()
    let reads = 0
    interceptReads(async (path, read) => {
      if (path !== join(directory, 'lock') || ++reads !== 2) return read(path, 'utf8')
      await rm(path)
      const none = read(path, 'utf8')
      await none.catch(() => plant(ownLock))
      return none
    })
    await expectTaken(process.pid)
    expect(reads).toBeGreaterThan(2)
  })

  it('by exactly one of many', { timeout: 60_000 }, async () => {
    const rivals = Array.from({ length: 6 }, () => fork(join(compiled, 'rival.js'), { execArgv: [] }))
    children.push(...rivals)
    const report = (message: string) =>
      Promise.all(
        rivals.map(async (rival) => {
          const answer = once(rival, 'message')
          rival.send(message)
          return String((await answer)[0])
        }),
      )
    await Promise.all(rivals.map((rival) => once(rival, 'message')))
    for (let round = 0; round < (isShort ? 10 : 60); round++) {
      await plant(elsewhere)
      const answers = await report(directory)
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(1)
      await report('release')
      expect(await readdir(directory)).toEqual([])
    }
  })
})

describe.runIf(canUnshare)('a holder in another container', () => {
  const start = () => startHolder('exec unshare --pid --fork --mount-proc --kill-child "$@"')

  it('keeps others out, though its pid means nothing here', async () => {
    await start()
    await expectTaken(1)
    await sleep(2_100)
    await expectTaken(1)
    expect(await isLocked(directory)).toBe(true)
  })

  it('is waited for', async () => {
    const { child } = await start()
    const waiting = lockDataDirectory(directory, { waitMs: 10_000 })
    child.stdin?.end()
    await (await waiting).release()
  })

  it('is taken over from once it is dead and had the time to listen', async () => {
    const { child } = await start()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect.poll(() => isLocked(directory), { timeout: 10_000 }).toBe(false)
    await expectFree()
  })
})

describe('without /proc', () => {
  beforeEach(() => {
    interceptReads((path, read) => {
      if (!path.startsWith('/proc/')) return read(path, 'utf8')
      return Promise.reject(Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' }))
    })
  })

  it('the lock has the process’s pid only', async () => {
    await lockDataDirectory(directory)
    const content = JSON.parse(await readFile(join(directory, 'lock'), 'utf8'))
    expect(content).toMatchObject({ pid: process.pid, boot_id: null, start_time: null })
  })

  it('a live process keeps others out', async () => {
    const { pid } = await startHolder()
    await expectTaken(pid)
  })

  it('a process of another user keeps others out', async () => {
    vi.spyOn(process, 'kill').mockImplementationOnce(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    })
    await plant(elsewhere)
    await expectTaken(noOne)
  })

  it('a dead one does not', async () => {
    await plant(elsewhere)
    await expectFree()
  })

  it.each([0, -1, 1.5, '1'])('an invalid pid does not: %j', async (pid) => {
    await plant({ ...elsewhere, pid })
    await expectFree()
  })
})

describe('isLocked', () => {
  it('distinguishes a live holder from a dead one and from none', async () => {
    expect(await isLocked(directory)).toBe(false)
    const { child } = await startHolder()
    expect(await isLocked(directory)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await isLocked(directory)).toBe(false)
    await lockDataDirectory(directory)
    expect(await isLocked(directory)).toBe(true)
  })

  it('changes nothing', async () => {
    await plant(elsewhere)
    await isLocked(directory)
    expect(await readdir(directory)).toEqual(['lock'])
  })
})
