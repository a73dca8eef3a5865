/**
 * From the start of the program to its being ready: in an empty directory, on the embedded database, and once
 * more there.
 */
import { once } from 'node:events'
import { mkdirSync, openSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { amount } from './amount.mjs'
import { cpuSeconds, readUntil, start } from './children.mjs'
import { median } from './rounds.mjs'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const rounds = amount(5, 1)
const allCores = `0-${cpus().length - 1}`
const firstStartBarMs = 1_500

/** Measures both, with the processor time that they take. */
export async function benchStart({ directory }) {
  const [first, later] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    const place = join(directory, `start-${round}`)
    mkdirSync(place)
    first.push(await startOnce(place))
    later.push(await startOnce(place))
  }
  return {
    title: 'a start on the embedded database, in milliseconds',
    notes: [],
    durations: [
      { what: 'the first, in an empty directory', ms: medianOf(first, 'ms'), bar: firstStartBarMs },
      { what: 'its processor time', ms: medianOf(first, 'cpuMs') },
      { what: 'a later one', ms: medianOf(later, 'ms') },
      { what: 'its processor time', ms: medianOf(later, 'cpuMs') },
    ],
  }
}

async function startOnce(place) {
  const startedMs = performance.now()
  const env = { SVC_PORT: '0', SVC_EDGE_PORT: '0', SVC_INTERNAL_PORT: '0', SVC_DATA_DIR: join(place, 'data') }
  const child = start(allCores, [process.execPath, program], {
    cwd: place,
    env,
    log: openSync(join(place, 'log'), 'a'),
  })
  await readUntil(child, /svc is ready/)
  const measured = { ms: performance.now() - startedMs, cpuMs: cpuSeconds(child) * 1_000 }
  child.kill('SIGTERM')
  await once(child, 'close')
  return measured
}

function medianOf(measured, name) {
  return median(measured.map((each) => each[name]))
}
