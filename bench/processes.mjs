/**
 * Two processes of one node beside one process: a file of 10 kB from the edge, and one row with a key from
 * the API.
 */
import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { stop } from './children.mjs'
import { path, project } from './look-up.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const name = 'app.css'

/** Both sides may use two cores; the load has the others, if there are any. */
const cores = '0-1'
const ownCores = cpus().length > 3
const wrkCores = ownCores ? `2-${cpus().length - 1}` : cores

const bar = 1.7

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

/** Measures both by turns, each on its own database with the same rows. */
async function compareWithOne({ directory, openDatabase }, folder, { title, prepare }) {
  async function startTarget(processes, label) {
    const place = join(directory, `${folder}-${processes}`)
    const settings = { SVC_PROCESSES: String(processes) }
    const svc = await startSvc(place, (await openDatabase()).url, settings, { cores })
    return { name: label, child: svc.child, wrkCores, ...(await prepare(svc)) }
  }
  const targets = [await startTarget(2, 'two processes'), await startTarget(1, 'one process')]
  const [two, one] = await measure(targets)
  await Promise.all(targets.map(({ child }) => stop(child)))
  return {
    title,
    notes: [
      ownCores
        ? `The load has cores ${wrkCores} to itself.`
        : 'With two cores, `wrk` and PostgreSQL take theirs from the server: ' +
          'one process leaves them the second core, two processes compete with them for both, ' +
          'so the measured ratio is that of what is left. By processor time: ' +
          'what two cores, and one, would answer if the load were elsewhere, from the processor ' +
          'time of all processes of the node, the first one included, for a request. Two processes ' +
          'are less than twice as fast by what they say to the first one, which keeps the rate limits.',
    ],
    measured: [two, one],
    comparisons: [
      { to: 'one process', ...(ownCores && { bar }), ...compare(two, one) },
      { to: 'one process, by processor time', bar, ...compare(alone(two, 2), alone(one, 1)) },
    ],
  }
}

/** The rounds as they would be with so many cores for the server alone. */
function alone({ name, rounds }, count) {
  return { name, rounds: rounds.map((round) => ({ ...round, rate: (count * 1e6) / round.cpuUs })) }
}
