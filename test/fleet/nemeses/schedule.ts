/** Which disturbances a run has, and in which order. */
import type { Fleet } from '../parts/fleet.ts'
import type { Nemesis } from './nemesis.ts'
import { kill, restart, wrongClock } from './processes.ts'
import { crashPostgres, cutPostgres, cutS3, failS3, fillDisk, killRedis, slow } from './stores.ts'

/** How long things stay away, in milliseconds. */
type Lengths = { store: number; latency: number; clock: number }

const inShort: Lengths = { store: 4_000, latency: 5_000, clock: 4_000 }
const inSoak: Lengths = { store: 30_000, latency: 30_000, clock: 60_000 }

/** Each disturbance once: the workers first, since what they were sending is repeated after half a minute. */
export function shortSchedule(fleet: Fleet): Nemesis[] {
  const workersFirst = fleet.nodes.toSorted(
    (a, b) => Number(b.role === 'worker') - Number(a.role === 'worker'),
  )
  const clocks = fleet.nodes.filter(({ name }) => ['api-2', 'worker-1'].includes(name))
  return [
    ...workersFirst.map(kill),
    ...clocks.map((node) => wrongClock(node, inShort.clock)),
    ...storeDisturbances(fleet, inShort),
    ...workersFirst.map(restart),
  ]
}

/** All disturbances in an order of its own for each round. */
export function soakSchedule(fleet: Fleet): Nemesis[] {
  const each = [
    ...fleet.nodes.flatMap((node) => [kill(node), restart(node), wrongClock(node, inSoak.clock)]),
    ...storeDisturbances(fleet, inSoak),
  ]
  return each
    .map((nemesis) => ({ nemesis, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ nemesis }) => nemesis)
}

function storeDisturbances(fleet: Fleet, { store, latency }: Lengths): Nemesis[] {
  return [
    crashPostgres(fleet),
    cutPostgres(fleet, store),
    killRedis(fleet, store),
    cutS3(fleet, store),
    failS3(fleet, 'status 500', store),
    failS3(fleet, 'hang', store),
    slow('PostgreSQL', fleet.proxies.postgres, latency),
    slow('S3', fleet.proxies.s3, latency),
    ...fleet.disks.map((disk) => fillDisk(disk, store)),
  ]
}
