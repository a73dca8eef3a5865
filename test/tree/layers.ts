/** The drawing of `src`: what stands on which floor, and which packages belong to one room. */
import { dirname, join, normalize } from 'node:path'

/**
 * From the top to the ground. A room imports rooms of floors below its own: never up, and never beside it.
 */
export const floors = [
  ['main.ts', 'cli'],
  ['operate/node'],
  ['operate/backup', 'operate/integrity'],
  ['api/client', 'api/server', 'roles/edge', 'roles/internal', 'roles/nameserver', 'roles/worker'],
  ['api/routers'],
  ['api/trpc'],
  ['platform/forges', 'platform/trust'],
  ['platform/hooks'],
  ['platform/builds', 'platform/domains', 'platform/git', 'platform/observability'],
  ['platform/certificates', 'platform/deployments', 'platform/visitors', 'platform/webhooks'],
  ['platform/dns', 'platform/projects'],
  ['platform/auth'],
  ['platform/idempotency', 'platform/limits', 'platform/mail', 'platform/zones'],
  ['stores/blobs'],
  ['stores/clock', 'stores/data-dir', 'stores/events', 'stores/queue'],
  ['stores/cache', 'stores/db'],
  ['lib/tls'],
  ['lib/net'],
  ['lib/settings'],
  ['lib/log', 'lib/forge-links.ts'],
  [
    'lib/async',
    'lib/env-file.ts',
    'lib/errors.ts',
    'lib/frameworks',
    'lib/ids.ts',
    'lib/make-directory.ts',
    'lib/names',
    'lib/plan.ts',
    'lib/secret.ts',
    'lib/usable-memory.ts',
    'lib/version.ts',
  ],
  [
    'lib/audit-text.ts',
    'lib/cut.ts',
    'lib/has-code.ts',
    'lib/is-record.ts',
    'lib/leaving-words.ts',
    'lib/notice-events.ts',
    'lib/warning-text.ts',
  ],
]

/** What the floors alone would allow: a command is a client, and a role knows nothing of the API. */
const apart = [
  {
    from: 'cli',
    to: ['operate/node', 'api/server', 'api/routers', 'api/trpc', 'roles'],
    but: ['operate/node/admin.ts'],
  },
  { from: 'roles', to: ['api'], but: [] },
]

/** The rooms that know a package. */
const packages: Record<string, string[]> = {
  fastify: ['api/server'],
  '@fastify': ['api/server'],
  '@trpc/server': ['api'],
  '@trpc/client': ['api/client', 'cli'],
  'trpc-to-openapi': ['api'],
  nodemailer: ['platform/mail'],
  'prom-client': ['roles/internal/metrics/process-series.ts'],
}

/** An import of a file of `src`, by paths below it; `to` is a package's name where it is no path. */
export type Import = { from: string; to: string }

/** The imports in the text of `file`, whose path is relative to `src`. */
export function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(/(?:\bfrom |\bimport\(|\bimport )'([^']+)'/g)].flatMap(([, specifier = '']) =>
    specifier.startsWith('node:')
      ? []
      : [
          {
            from: file,
            to: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier,
          },
        ],
  )
}

/** What is wrong with an import; undefined if it follows the drawing. */
export function problemOf({ from, to }: Import): string | undefined {
  const ofPackage = Object.entries(packages).find(([name]) => isIn(to, name))
  if (ofPackage)
    return ofPackage[1].some((room) => isIn(from, room))
      ? undefined
      : `${ofPackage[0]} belongs to ${ofPackage[1].join(', ')}`
  if (!to.endsWith('.ts')) return undefined
  const [above, below] = [placeOf(from), placeOf(to)]
  if (!above || !below) return `${above ? to : from} is in no room of the drawing`
  if (above.room !== below.room && above.floor <= below.floor)
    return `${below.room} does not stand below ${above.room}`
  const rule = apart.find((each) => isIn(from, each.from) && each.to.some((room) => isIn(to, room)))
  return rule && !rule.but.some((file) => file === to)
    ? `${rule.from} keeps apart from ${below.room}`
    : undefined
}

function placeOf(file: string): { room: string; floor: number } | undefined {
  const places = floors.flatMap((rooms, at) => rooms.map((room) => ({ room, floor: floors.length - at })))
  return places.find(({ room }) => isIn(file, room))
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
