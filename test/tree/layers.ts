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
  ['platform/servers'],
  ['platform/certificates', 'platform/deployments', 'platform/visitors', 'platform/webhooks'],
  ['platform/dns', 'platform/projects'],
  ['platform/teams'],
  ['platform/people'],
  ['platform/callers'],
  [
    'platform/idempotency',
    'platform/limits',
    'platform/mail',
    'platform/sandbox',
    'platform/sites',
    'platform/zones',
  ],
  ['stores/blobs'],
  ['stores/clock', 'stores/data-dir', 'stores/events', 'stores/queue'],
  ['stores/cache', 'stores/db'],
  ['lib/tls'],
  ['lib/net'],
  ['lib/settings'],
  ['lib/log', 'lib/forge-links.ts', 'lib/frameworks'],
  [
    'lib/async',
    'lib/env-file.ts',
    'lib/errors.ts',
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
    'lib/json-text.ts',
    'lib/leaving-words.ts',
    'lib/needs-worker.ts',
    'lib/notice-events.ts',
    'lib/warning-text.ts',
  ],
]

/** The floors within a room, from its top: what they name stands in it. */
export const innerFloors: Record<string, string[][]> = {
  'api/server': [
    ['admin-socket.ts', 'api.ts'],
    ['home', 'refuse-unknown-paths.ts'],
    ['auth', 'docs', 'git', 'health.ts', 'hooks', 'npm-packages.ts', 'openapi'],
    ['calls'],
    ['caller'],
    ['deps.ts'],
    ['dashboard'],
    ['admin-stream.ts', 'pages'],
    ['http'],
  ],
}

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
  const upward = upwardIn(floors, { from, to }) ?? upwardWithin({ from, to })
  if (upward) return upward
  const rule = apart.find((each) => isIn(from, each.from) && each.to.some((room) => isIn(to, room)))
  return rule && !rule.but.some((file) => file === to) ? `${rule.from} keeps apart from ${to}` : undefined
}

/** The same for an import within a room that has floors of its own. */
function upwardWithin({ from, to }: Import): string | undefined {
  const inner = Object.entries(innerFloors).find(([room]) => isIn(from, room) && isIn(to, room))
  if (!inner) return undefined
  const [room, rooms] = inner
  return upwardIn(rooms, { from: from.slice(room.length + 1), to: to.slice(room.length + 1) })
}

function upwardIn(all: string[][], { from, to }: Import): string | undefined {
  const [above, below] = [placeIn(all, from), placeIn(all, to)]
  if (!above || !below) return `${above ? to : from} is in no room of the drawing`
  return above.room !== below.room && above.floor <= below.floor
    ? `${below.room} does not stand below ${above.room}`
    : undefined
}

function placeIn(all: string[][], file: string): { room: string; floor: number } | undefined {
  const places = all.flatMap((rooms, at) => rooms.map((room) => ({ room, floor: all.length - at })))
  return places.find(({ room }) => isIn(file, room))
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
