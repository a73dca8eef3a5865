/** The table of how the server of a project runs: its rows are the parts of `runtime`. */
import { z } from 'zod'
import { integer } from '../../stores/db/record-fields.ts'
import type { RuntimeSettings } from '../../stores/db/schema/projects.ts'
import { namesOf, rowsIn } from './field.ts'
import { serverPort } from './server-port.ts'

const runtimeField = rowsIn<
  RuntimeSettings,
  {
    /** Whether only owners set it: what takes room from others. */
    forOwners: boolean
  }
>()

const mebibyte = 1024 * 1024

/** A path as the first line of a request can have it. */
const healthPath = z
  .string()
  .max(1_000)
  .regex(/^\/[!-"$-~]*$/, 'must begin with / and have visible ASCII characters alone, without #')

/** On its own port a server listens itself. */
const outerPort = z
  .int()
  .min(1)
  .max(65_535)
  .refine((port) => port !== serverPort, `must not be ${serverPort}, on which the server itself listens`)

const networks = z.enum(['none', 'web', 'tcp'])

export const runtimeFields = {
  memory_bytes: runtimeField({
    column: 'memory_bytes',
    schema: z
      .int()
      .min(128 * mebibyte)
      .max(4_096 * mebibyte),
    says: 'The memory of a process of its server, with its files in /tmp. For owners',
    output: integer.default(512 * mebibyte),
    initial: 512 * mebibyte,
    forOwners: true,
    option: ['--memory-bytes <bytes>', 'the memory of its server, 536870912 by default'],
    line: { label: 'memory', words: {}, unit: 'bytes' },
  }),
  health_path: runtimeField({
    column: 'health_path',
    schema: healthPath,
    says: 'Is requested to see whether the server is well; null: a connection is enough',
    output: z.string().nullable().default(null),
    initial: null,
    forOwners: false,
    option: ['--health-path <path>', 'is requested to see whether its server is well'],
    line: { label: 'health path', words: {} },
  }),
  idle_s: runtimeField({
    column: 'idle_s',
    schema: z.int().min(60).max(86_400),
    says: 'After so many seconds without a request the server is stopped, until the next one. For owners',
    output: integer.default(900),
    initial: 900,
    forOwners: true,
    option: ['--idle-s <seconds>', 'stop its server after so long without a request'],
    line: { label: 'idle', words: { other: 'stopped after # s' } },
  }),
  min: runtimeField({
    column: 'min',
    schema: z.int().min(0).max(1),
    says: 'How many processes of its server in production run even without a request. For owners',
    output: integer.default(0),
    initial: 0,
    forOwners: true,
    option: ['--min <processes>', 'with 1, keep its server in production running without requests'],
    line: { label: 'at least', words: { other: '# in production' } },
  }),
  network: runtimeField({
    column: 'network',
    schema: networks,
    says:
      'The places with public addresses that its server connects to: none; `web`: by HTTP and HTTPS, ' +
      'at ports 80 and 443; `tcp`: `ports` as well. For owners',
    output: networks.default('none'),
    initial: 'none',
    forOwners: true,
    option: ['--network <network>', 'have its server connect to nothing, to HTTP and HTTPS, or to any ports'],
    line: { label: 'network', words: {} },
  }),
  ports: runtimeField({
    column: 'ports',
    schema: z.array(outerPort).min(1).max(20),
    says: 'The ports that its server connects to besides 80 and 443, with `network` `tcp`. For owners',
    output: z.array(integer).nullable().default(null),
    initial: null,
    forOwners: true,
    option: ['--port <port>', 'a port its server connects to, with --network tcp; may be repeated'],
    line: { label: 'ports', words: {} },
  }),
  release: runtimeField({
    column: 'release',
    schema: z.string().min(1).max(1_000),
    says: 'A command, such as a migration, that runs once for each deployment before its server. For owners',
    output: z.string().nullable().default(null),
    initial: null,
    forOwners: true,
    option: ['--release <command>', 'runs once for each deployment before its server, as migrations do'],
    line: { label: 'release', words: {} },
  }),
}

/** The names of those that only owners set. */
export const runtimeForOwners = namesOf(runtimeFields).filter((name) => runtimeFields[name].forOwners)
