/** Loaded before a program: writes down for how long its main thread was busy at a stretch, in milliseconds of processor time. */
import { appendFileSync, readFileSync } from 'node:fs'

const everyMs = 5
const shortestMs = 50

/** What the thread has run so far: its own time, whatever else the machine does. */
const busyMs = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

let last = busyMs()
setInterval(() => {
  const now = busyMs()
  if (now - last > shortestMs) appendFileSync(process.env.BUSY_FILE, `${Math.round(now - last)}\n`)
  last = now
}, everyMs).unref()
