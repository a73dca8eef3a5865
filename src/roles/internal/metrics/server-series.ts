/** Series of the servers of deployments that this node runs. */
import type { ServerStatus } from '../../../platform/servers/server-status.ts'
import type { Series } from './series.ts'
import { createTally } from './tally.ts'

const events = ['started', 'crashed', 'evicted'] as const

/** Counts what happens to servers. */
export function createServerEvents(): {
  observe: (event: (typeof events)[number]) => void
  series: Series[]
} {
  const counts = createTally(events)
  return {
    observe: counts.add,
    series: [
      {
        name: 'svc_server_events_total',
        help:
          'Events of servers. event: started (it listens), crashed (it ended by itself, or did not start), ' +
          'evicted (ended while idle, to make room for another).',
        type: 'counter',
        labels: ['event'],
        read: () => counts.entries().map(([event, value]) => ({ labels: { event }, value })),
      },
    ],
  }
}

const states = ['starting', 'running', 'crashed'] as const

/** The servers of the pool: how many, their memory, and how many requests wait for one to start. */
export function serverSeries(pool: { list(): ServerStatus[]; waiting(): number }): Series[] {
  return [
    {
      name: 'svc_servers',
      help: 'Servers on this node. state: starting, running, crashed (it waits for its next start).',
      type: 'gauge',
      labels: ['state'],
      read: () =>
        states.map((state) => ({
          labels: { state },
          value: pool.list().filter((server) => server.state === state).length,
        })),
    },
    {
      name: 'svc_servers_memory_bytes',
      help: 'Memory of the servers that run, as measured last.',
      type: 'gauge',
      labels: [],
      read: () => [
        { labels: {}, value: pool.list().reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0) },
      ],
    },
    {
      name: 'svc_server_requests_waiting',
      help: 'Requests that wait for a server to start.',
      type: 'gauge',
      labels: [],
      read: () => [{ labels: {}, value: pool.waiting() }],
    },
  ]
}
