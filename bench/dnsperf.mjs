/**
 * The load on name servers: dnsperf, for some seconds, from one client with as many questions under way as it
 * usually has.
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { loadCores, readAll, start } from './children.mjs'

/** Asks every question `times` times, in up to so many seconds: what can be in memory is there afterwards. */
export async function warmUp({ port, questions }, times, seconds) {
  await readAll(start(loadCores, [...command(port, questions, seconds), '-n', String(times)]))
}

/**
 * Asks as fast as answers come; returns how many came a second, and how many in all.
 * @param {{ name: string, port: number, questions: string }} server
 * @param {number} seconds
 * @throws when questions are lost.
 */
export async function answerRate({ name, port, questions }, seconds) {
  const text = await readAll(start(loadCores, command(port, questions, seconds)))
  const rate = numberIn(text, /Queries per second:\s+([\d.]+)/)
  const count = numberIn(text, /Queries completed:\s+(\d+)/)
  const sent = numberIn(text, /Queries sent:\s+(\d+)/)
  if (count < sent * 0.999) throw new Error(`${name} lost ${sent - count} of ${sent} questions:\n${text}`)
  const codes = /Response codes:\s+(.*)/.exec(text)?.[1] ?? ''
  if (!/^NOERROR \d+ \(9\d\.\d+%\), NXDOMAIN \d+ \([3-8]\.\d+%\)$/.test(codes)) {
    throw new Error(`${name} answered with other codes than expected: ${codes}`)
  }
  return { rate, count }
}

/**
 * Asks `perSecond` questions a second; returns the median and the 99th percentile of the times to answers, in
 * milliseconds.
 */
export async function answerLatencies({ port, questions }, seconds, perSecond) {
  const child = start(loadCores, [...command(port, questions, seconds), '-v', '-Q', String(perSecond)])
  const ended = once(child, 'close')
  const times = []
  for await (const line of createInterface({ input: child.stdout })) {
    const [, time] = /^> \S+ \S+ \S+ ([\d.]+)$/.exec(line) ?? []
    if (time) times.push(Number(time) * 1_000)
  }
  await ended
  if (times.length === 0) throw new Error('dnsperf told no times.')
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(times.length / 2)], p99: times[Math.floor(times.length * 0.99)] }
}

function command(port, questions, seconds) {
  const server = ['-s', '127.0.0.1', '-p', String(port), '-d', questions]
  return [
    'dnsperf',
    ...server,
    '-l',
    String(seconds),
    '-T',
    '1',
    '-c',
    '4',
    '-q',
    '100',
    '-e',
    '-O',
    'suppress=timeouts',
  ]
}

function numberIn(text, pattern) {
  const value = Number(pattern.exec(text)?.[1])
  if (!(value > 0)) throw new Error(`dnsperf wrote something else than expected:\n${text}`)
  return value
}
