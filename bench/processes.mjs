/**
 * Two processes of one node beside one process, and beside two nodes that know nothing of each other: a file
 * of 10 kB from the edge, and one row with a key from the API.
 */
import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { cpuSeconds, stop } from './children.mjs'
import { path, project } from './look-up.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'
import { load, usualConnections } from './wrk.mjs'

const name = 'app.css'

/** Both sides may use two cores; the load has the others, if there are any. */
const cores = '0-1'
const ownCores = cpus().length > 3
const wrkCores = ownCores ? `2-${cpus().length - 1}` : cores

const bar = 1.7

/** How much of what two nodes answer with the same processor time two processes of one do. */
const barApart = 0.9

export function benchProcessesEdge(run) {
  return compareWithOne(run, 'edge', {
    title: 'a 10 kB file from the edge, two processes',
    async prepare(svc) {
      await svc.call('PUT', path)
      await svc.deploy('bench', name, randomBytes(10_000))
      return { url: `http://127.0.0.1:${svc.edgePort}/${name}`, headers: { Host: 'bench.localhost' } }
    },
  })
}

export function benchProcessesApi(run) {
  return compareWithOne(run, 'api', {
    title: '`GET` of one row with a key, two processes',
    async prepare(svc) {
      await svc.call('PUT', path, project)
      return { url: svc.apiUrl + path, headers: { authorization: svc.authorization } }
    },
  })
}

/** Measures all by turns, each on its own database with the same rows. */
async function compareWithOne({ directory, openDatabase }, folder, { title, prepare }) {
  let nodes = 0
  async function startTarget(processes, label) {
    nodes += 1
    const place = join(directory, `${folder}-${nodes}`)
    const settings = { SVC_PROCESSES: String(processes) }
    const svc = await startSvc(place, (await openDatabase()).url, settings, { cores })
    return { name: label, child: svc.child, wrkCores, ...(await prepare(svc)) }
  }
  const both = [await startTarget(1, 'one of two nodes'), await startTarget(1, 'the other')]
  const targets = [
    await startTarget(2, 'two processes'),
    await startTarget(1, 'one process'),
    { name: 'two nodes', both, cpuSeconds: () => sum(both.map(({ child }) => cpuSeconds(child))) },
  ]
  const [two, one, apart] = await measure(targets, { load: loadBoth })
  await Promise.all([...targets.slice(0, 2), ...both].map(({ child }) => stop(child)))
  return {
    title,
    notes: [
      ownCores
        ? `The load has cores ${wrkCores} to itself.`
        : 'With two cores, `wrk` and PostgreSQL take theirs from the server: ' +
          'one process leaves them the second core, two processes compete with them for both, ' +
          'so the measured ratio is that of what is left. By processor time: ' +
          'what two cores, and one, would answer if the load were elsewhere, from the processor ' +
          'time of all processes of the node, the first one included, for a request. What two processes ' +
          'that work side by side take longer by, since they share caches, the database and the load, two ' +
          'nodes take, too: what they take longer than those is what one says to the other.',
    ],
    measured: [two, one, apart],
    comparisons: [
      { to: 'one process', ...(ownCores && { bar }), ...compare(two, one) },
      { to: 'one process, by processor time', bar, ...compare(alone(two, 2), alone(one, 1)) },
      {
        to: 'two nodes of one process each, by processor time',
        bar: barApart,
        ...compare(alone(two, 2), alone(apart, 2)),
      },
    ],
  }
}

/** Half of the usual load for each of two nodes at once, or all of it for one. */
async function loadBoth(target, seconds) {
  if (!target.both) return load(target, seconds)
  const halves = target.both.map((node) => load({ ...node, connections: usualConnections / 2 }, seconds))
  const done = await Promise.all(halves)
  return { rate: sum(done.map(({ rate }) => rate)), count: sum(done.map(({ count }) => count)) }
}

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0)

/** The rounds as they would be with so many cores for the server alone. */
function alone({ name, rounds }, count) {
  return { name, rounds: rounds.map((round) => ({ ...round, rate: (count * 1e6) / round.cpuUs })) }
}
