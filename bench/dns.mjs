/**
 * DNS answers a second out of 100,000 records, beside PowerDNS on the same database, nsd and Knot on the same
 * zones.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { amount } from './amount.mjs'
import { hasCommand, moveToLoadCores, residentBytes, stop } from './children.mjs'
import { fillZones, questionsOf, zoneCount, zoneFiles } from './dns-zones.mjs'
import { answerLatencies, answerRate, warmUp } from './dnsperf.mjs'
import { freeDnsPort, startKnot, startNsd, startPowerDns } from './peers/name-servers.mjs'
import { compare, measure, median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const nameservers = ['ns1.svc.test', 'ns2.svc.test']

/** Of the rate that the slower of two reaches: what a server has to do when it isn't at its limit. */
const latencyShare = 0.5
const latencyRounds = amount(3, 1)
const latencySeconds = amount(3, 1)

/** PowerDNS asks the database for each name once, which takes it most of this. */
const warmUpSeconds = amount(150, 2)
const warmUpTimes = 1

/** Measures those that are installed with the same questions. */
export async function benchDns({ directory, openDatabase }) {
  if (!hasCommand('dnsperf')) return leftOut('dnsperf is not installed here (Debian: dnsperf).')
  const database = await openDatabase()
  const port = await freeDnsPort()
  const svc = await startSvc(join(directory, 'name-server'), database.url, {
    SVC_DNS_PORT: String(port),
    SVC_DNS_RATE: '0',
    SVC_NAMESERVERS: nameservers.join(','),
  })
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  await fillZones(sql)
  const zones = await zoneFiles(sql, nameservers, join(directory, 'zones'))
  await sql.end()
  const questions = join(directory, 'questions')
  writeFileSync(questions, questionsOf())

  const peers = [
    ['PowerDNS', () => startPowerDns(directory, database.url)],
    ['nsd', () => startNsd(directory, zones)],
    ['Knot', () => startKnot(directory, zones)],
  ]
  const servers = [{ name: 'svc', child: svc.child, port }]
  const notes = []
  for (const [name, startPeer] of peers) {
    const started = await startPeer().catch((error) => {
      notes.push(`${name} is left out: ${error.message}`)
      return null
    })
    if (started === null) continue
    if (started) servers.push({ name, ...started })
    else notes.push(`${name} is not installed here.`)
  }
  moveToLoadCores(process.pid)
  const targets = servers.map((server) => ({ ...server, questions, url: '', headers: {} }))
  for (const target of targets) await warmUp(target, warmUpTimes, warmUpSeconds)
  if (!(await database.moveAway())) {
    notes.push("PostgreSQL's processes could not be kept off the server's core.")
  }
  const measured = await measure(targets, { load: answerRate, warmUpRequests: 0 })
  notes.push(...(await latencyNotes(targets, measured)))
  await Promise.all(servers.map(({ child }) => stop(child)))
  const [ours, ...others] = measured
  return {
    title: `a DNS answer out of 100,000 records in ${zoneCount.toLocaleString('en')} zones`,
    unit: 'answer',
    notes,
    measured,
    comparisons: others.map((other) => ({
      to: other.name === 'PowerDNS' ? 'PowerDNS 4.7, caches on' : other.name,
      bar: other.name === 'PowerDNS' ? 0.5 : undefined,
      ...compare(ours, other),
    })),
  }
}

function leftOut(note) {
  return { title: 'a DNS answer', unit: 'answer', notes: [note], measured: [], comparisons: [] }
}

/**
 * How long answers take at half of the rate that svc reaches, by turns, and what each server has in memory by
 * then.
 */
async function latencyNotes(targets, [ours]) {
  const rate = Math.round(latencyShare * median(ours.rounds.map((round) => round.rate)))
  const seen = targets.map(() => [])
  for (let round = 0; round < latencyRounds; round += 1) {
    for (const [index, target] of targets.entries()) {
      seen[index].push(await answerLatencies(target, latencySeconds, rate))
      await wait(200)
    }
  }
  const times = targets.map(({ name, child }, index) => {
    const [p50, p99] = ['p50', 'p99'].map((key) => median(seen[index].map((each) => each[key])).toFixed(2))
    return `${name} ${p50} ms, ${p99} ms (${Math.round(residentBytes(child) / 1e6)} MB)`
  })
  return [
    `At ${rate.toLocaleString('en')} questions a second, ` +
      'median and 99th percentile of the time to an answer, ' +
      `as medians of ${latencyRounds} rounds (and the memory in use afterwards): ${times.join('; ')}.`,
  ]
}
