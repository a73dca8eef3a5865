/** Stores that crash, are cut off, fail, hang or are slow, and a full disk. */
import type { SmallDisk } from '../parts/disk.ts'
import type { Fleet } from '../parts/fleet.ts'
import type { FleetProxy } from '../parts/helpers.ts'
import type { S3Fault } from '../parts/s3-process.ts'
import type { Nemesis } from './nemesis.ts'

/** PostgreSQL ends at once, as in a crash, and is started again. */
export function crashPostgres({ postgres }: Fleet): Nemesis {
  return {
    name: 'PostgreSQL crashes',
    disturbs: ['database'],
    lastsMs: 0,
    begin: postgres.crash,
    end: postgres.start,
  }
}

/** All connections to PostgreSQL are reset, and new ones refused for a while. */
export function cutPostgres({ proxies }: Fleet, lastsMs: number): Nemesis {
  return {
    name: 'PostgreSQL is cut off',
    disturbs: ['database'],
    lastsMs,
    begin: proxies.postgres.cut,
    end: proxies.postgres.restore,
  }
}

/** Redis is gone for a while, which nobody but the rate limits may notice. */
export function killRedis({ redis }: Fleet, lastsMs: number): Nemesis {
  return { name: 'Redis is gone', disturbs: [], lastsMs, begin: redis.kill, end: redis.start }
}

/** S3 refuses connections for a while. */
export function cutS3({ proxies }: Fleet, lastsMs: number): Nemesis {
  return {
    name: 'S3 is gone',
    disturbs: ['bucket'],
    lastsMs,
    begin: proxies.s3.cut,
    end: proxies.s3.restore,
  }
}

/** S3 responds 500 to everything, or not at all. */
export function failS3({ s3 }: Fleet, fault: S3Fault, lastsMs: number): Nemesis {
  return {
    name: `S3: ${fault}`,
    disturbs: ['bucket'],
    lastsMs,
    begin: () => s3.fail(fault),
    end: () => s3.fail('none'),
  }
}

const slowMs = 100

/** Whatever passes takes 200 ms from end to end and back. */
export function slow(name: string, proxy: FleetProxy, lastsMs: number): Nemesis {
  return {
    name: `${name} is ${2 * slowMs} ms away`,
    disturbs: [],
    lastsMs,
    begin: () => proxy.delay(slowMs),
    end: () => proxy.delay(0),
  }
}

/** The disk of a node's data directory is full, which with a bucket nobody needs. */
export function fillDisk({ node, fill, free }: SmallDisk, lastsMs: number): Nemesis {
  return { name: `disk of ${node} is full`, node, disturbs: [], lastsMs, begin: fill, end: free }
}
