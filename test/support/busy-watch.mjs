/**
 * Loaded before a program: from its first request on, records how long its main thread was busy without a
 * pause, in milliseconds of its own processor time, and which requests were under way.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, readFileSync } from 'node:fs'

const everyMs = 5
const shortestMs = 50

/** The thread's processor time so far, whatever else the machine does. */
const busyMs = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

const underWay = new Set()
let recent = []
let last

subscribe('http.server.request.start', ({ request }) => {
  underWay.add(request)
  recent.push(request)
  if (last !== undefined) return
  last = busyMs()
  setInterval(look, everyMs).unref()
})
subscribe('http.server.response.finish', ({ request }) => underWay.delete(request))

function look() {
  const now = busyMs()
  const ms = Math.round(now - last)
  if (ms > shortestMs) {
    const requests = [...new Set([...recent, ...underWay])].map(({ method, url }) => `${method} ${url}`)
    appendFileSync(process.env.BUSY_FILE, `${JSON.stringify({ ms, requests })}\n`)
  }
  last = now
  recent = []
}
