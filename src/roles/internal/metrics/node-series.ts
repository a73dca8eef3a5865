/** Series of the node itself. */
import { statfs } from 'node:fs/promises'
import type { Series } from './series.ts'

type Facts = {
  version: string
  roles: readonly string[]
  dataDirectory: string
  /** Where rate limits are kept. */
  limits: () => string
  /** By how much the clock is ahead of the mark; 0 unless that is a jump. */
  clockJumpMs: () => number
  /** Bytes of responses that wait in this process for clients to read them. */
  unreadBytes: () => number
}

export function nodeSeries({
  version,
  roles,
  dataDirectory,
  limits,
  clockJumpMs,
  unreadBytes,
}: Facts): Series[] {
  const space = async (pick: 'blocks' | 'bavail') => {
    const found = await statfs(dataDirectory).catch(() => undefined)
    return found ? [{ labels: {}, value: found.bsize * found[pick] }] : []
  }
  return [
    {
      name: 'svc_build_info',
      help: '1. version: of svc; node: of Node.js.',
      type: 'gauge',
      labels: ['version', 'node'],
      read: () => [{ labels: { version, node: process.version }, value: 1 }],
    },
    {
      name: 'svc_role_info',
      help: '1 for each role of this node: api, edge, worker, dns.',
      type: 'gauge',
      labels: ['role'],
      read: () => roles.map((role) => ({ labels: { role }, value: 1 })),
    },
    {
      name: 'svc_rate_limits_degraded',
      help: '1 while the Redis of the rate limits is unavailable and limits are per node.',
      type: 'gauge',
      labels: [],
      read: () => [{ labels: {}, value: limits() === 'degraded' ? 1 : 0 }],
    },
    {
      name: 'svc_clock_jump_seconds',
      help:
        'By how much the clock jumped ahead of the last run of the installation, ' +
        'while nothing expires because of that; else 0.',
      type: 'gauge',
      labels: [],
      read: () => [{ labels: {}, value: clockJumpMs() / 1_000 }],
    },
    {
      name: 'svc_unread_bytes',
      help:
        'Bytes of responses that wait in memory for clients to read them, ' +
        'and about what those requests hold.',
      type: 'gauge',
      labels: [],
      read: () => [{ labels: {}, value: unreadBytes() }],
    },
    {
      name: 'svc_data_free_bytes',
      help: 'Free space of the file system of SVC_DATA_DIR.',
      type: 'gauge',
      labels: [],
      read: () => space('bavail'),
    },
    {
      name: 'svc_data_size_bytes',
      help: 'Size of that file system.',
      type: 'gauge',
      labels: [],
      read: () => space('blocks'),
    },
  ]
}
