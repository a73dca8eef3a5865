/** The child processes of a run, each kept to its own cores, all of them ended with it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** What is measured has core 0 to itself; load and database share the others. */
export const serverCores = '0'
export const loadCores = cpus().length > 2 ? `1-${cpus().length - 1}` : '1'

/** Linux counts processor time for us in hundredths of a second, whatever it counts in itself. */
const ticksPerSecond = 100

const startMs = 15_000

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let closed = false

/**
 * Starts a command on `cores`. Its environment is only what is given, and PATH; what it writes to standard
 * error goes to `log`, a file descriptor, or is shown.
 * @param {string} cores
 * @param {string[]} command
 * @param {{ env?: Record<string, string>, cwd?: string, log?: number }} [options]
 */
export function start(cores, [file, ...args], { env = {}, cwd, log } = {}) {
  if (closed) throw new Error('The run has ended.')
  const child = spawn('taskset', ['-c', cores, file, ...args], {
    cwd,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', log ?? 'inherit'],
    // Ctrl-C comes to this process alone, which then ends the others.
    detached: true,
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/** Whether a command is installed. */
export function hasCommand(name) {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What a child has written to standard output once `pattern` occurs in it, or it has ended. */
export async function readUntil(child, pattern) {
  let text = ''
  child.stdout.setEncoding('utf8')
  const timer = setTimeout(() => child.kill('SIGKILL'), startMs)
  try {
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      text += chunk
      if (pattern.test(text)) {
        child.stdout.resume()
        return text
      }
    }
  } finally {
    clearTimeout(timer)
  }
  throw new Error(`${child.spawnargs.slice(3, 5).join(' ')} ended, or took too long, before it was ready.`)
}

/** Everything that a child writes to standard output. @throws when it fails. */
export async function readAll(child) {
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${child.spawnargs[3]} failed: ${text}`)
  return text
}

/** Processor time that a child and those that it started have used, user and system, in seconds. */
export function cpuSeconds(child) {
  return sum(familyOf(child.pid).map(ownTicks)) / ticksPerSecond
}

/** As `cpuSeconds`, without those that it started. */
export function ownCpuSeconds(child) {
  return ownTicks(child.pid) / ticksPerSecond
}

function ownTicks(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Counted from behind the name, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** What a child and those that it started have in memory. */
export function residentBytes(child) {
  const kilobytes = familyOf(child.pid).map(residentKilobytes)
  return sum(kilobytes) * 1024
}

/** What those that a child started have in memory, where of what processes share each has its part. */
export function proportionalBytesBelow(child) {
  const [, ...below] = familyOf(child.pid)
  const kilobytes = below.map((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1])
  })
  return sum(kilobytes) * 1024
}

/** One that has ended meanwhile has nothing. */
function residentKilobytes(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function familyOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return [pid, ...children.flatMap(familyOf)]
}

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0)

/** Moves a process of somebody else to the cores of the load; false where that isn't permitted. */
export function moveToLoadCores(pid) {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', loadCores, String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export async function stop(child) {
  if (!running.has(child)) return
  const ended = once(child, 'close')
  // With those that it started: each child leads a group of its own.
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

/** Ends every child that still runs. */
export async function stopRunning() {
  await Promise.all([...running].map(stop))
}

/** Ends every child; none can be started afterwards. */
export async function stopAll() {
  closed = true
  await stopRunning()
}
