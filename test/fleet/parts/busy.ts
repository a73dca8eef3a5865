/** What keeps the processors of this machine busy. */
import { readFileSync } from 'node:fs'
import { readOf, treeOf } from './process-tree.ts'

/** Of the kernel's times (getconf CLK_TCK). */
const ticksASecond = 100

/** Processes, each with its descendants, by what they are. */
type Measured = Record<string, () => number[]>

/** Seconds of processor time since each started, and of all that runs on this machine since its start. */
function read(measured: Measured): Record<string, number> {
  const [, ...times] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/\s+/)
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = times.map(Number)
  const all = (user + nice + system + interrupts + softInterrupts) / ticksASecond
  const each = Object.entries(measured).map(([name, pids]) => [
    name,
    pids().reduce((sum, pid) => sum + secondsOf(pid), 0),
  ])
  return { ...Object.fromEntries(each), 'all of this machine': all }
}

/** Of a process and its descendants, also of those that have ended. */
function secondsOf(main: number): number {
  return treeOf(main).reduce((sum, pid) => {
    const text = readOf(pid, 'stat')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // utime, stime, cutime and cstime (proc_pid_stat(5)); none of a process that has ended.
    return fields.slice(11, 15).reduce((seconds, ticks) => seconds + Number(ticks) / ticksASecond, sum)
  }, 0)
}

/** Begins to measure. The result ends it: how many seconds of the processors were taken since, by what. */
export function measureBusy(measured: Measured): () => Record<string, number> {
  const before = read(measured)
  return () =>
    Object.fromEntries(
      Object.entries(read(measured)).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]),
    )
}
