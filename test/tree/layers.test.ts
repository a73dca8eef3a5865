/** Every import of `src` follows the drawing, which refuses what it is for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { floors, type Import, importsOf, innerFloors, problemOf } from './layers.ts'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const imports = files.flatMap((file) => importsOf(file, readFileSync(join('src', file), 'utf8')))

const problemsOf = (all: Import[]) =>
  all.flatMap((each) => {
    const problem = problemOf(each)
    return problem === undefined ? [] : [`${each.from} -> ${each.to}: ${problem}`]
  })

it('every import points down', () => {
  expect(imports.length).toBeGreaterThan(3_000)
  expect(problemsOf(imports)).toEqual([])
})

it('every file and room of src is in the drawing, and nothing else', () => {
  const rooms = files.map((file) => {
    const [wing = '', room = ''] = file.split('/')
    return wing === 'main.ts' || wing === 'cli' ? wing : `${wing}/${room}`
  })
  expect([...new Set(rooms)].sort()).toEqual(floors.flat().sort())
})

it.each(Object.entries(innerFloors))(
  'everything in %s is on a floor of it, and nothing else',
  (room, inner) => {
    const inside = files.flatMap((file) => {
      if (!file.startsWith(`${room}/`)) return []
      const [first = ''] = file.slice(room.length + 1).split('/')
      return first
    })
    expect([...new Set(inside)].sort()).toEqual(inner.flat().sort())
  },
)

it.each<[string, string, string]>([
  ['up a floor', 'stores/db/planted.ts', 'platform/deployments/read-deployment.ts'],
  ['up within a wing', 'platform/callers/keys.ts', 'platform/projects/put-project.ts'],
  ['a room beside it', 'platform/projects/planted.ts', 'platform/dns/create-record.ts'],
  ['a role beside it', 'roles/worker/planted.ts', 'roles/edge/server.ts'],
  ['the API from a role', 'roles/edge/planted.ts', 'api/routers/index.ts'],
  ['the API from the platform', 'platform/deployments/planted.ts', 'api/trpc/init.ts'],
  ['routers from tRPC', 'api/trpc/planted.ts', 'api/routers/index.ts'],
  ['the server from a command', 'cli/commands/planted.ts', 'api/server/api.ts'],
  ['a role from a command', 'cli/planted.ts', 'roles/worker/loop.ts'],
  ['the node from a command', 'cli/planted.ts', 'operate/node/node.ts'],
  ['the node from a backup', 'operate/backup/planted.ts', 'operate/node/installation.ts'],
  ['a store from a tool', 'lib/settings/planted.ts', 'stores/db/open-database.ts'],
  ['up within the server', 'api/server/http/planted.ts', 'api/server/deps.ts'],
  ['a room beside it within the server', 'api/server/docs/planted.ts', 'api/server/auth/mount-auth.ts'],
  ['a new room of the server', 'api/server/planted/read.ts', 'api/server/deps.ts'],
  ['a new room', 'platform/usage/read.ts', 'stores/db/store.ts'],
  ['a file of a new room', 'platform/callers/planted.ts', 'platform/usage/read.ts'],
  ['fastify outside the server', 'platform/callers/planted.ts', 'fastify'],
  ['a plugin of fastify', 'roles/edge/planted.ts', '@fastify/static'],
  ['tRPC outside the API', 'platform/deployments/planted.ts', '@trpc/server'],
  ['the part of tRPC for servers in a command', 'cli/planted.ts', '@trpc/server/http'],
  ['metrics outside their room', 'roles/edge/planted.ts', 'prom-client'],
])('refuses %s', (_what, from, to) => {
  expect(problemOf({ from, to })).toBeDefined()
})

it.each<[string, string, string]>([
  ['a room below', 'roles/edge/planted.ts', 'stores/db/store.ts'],
  ['a room below within the server', 'api/server/auth/planted.ts', 'api/server/http/errors.ts'],
  ['its own room', 'platform/dns/planted.ts', 'platform/dns/types/mx.ts'],
  ['what runs commands of an administrator', 'cli/planted.ts', 'operate/node/admin.ts'],
  ['the typed client', 'cli/commands/planted.ts', 'api/client/index.ts'],
  ['the client of tRPC', 'cli/planted.ts', '@trpc/client'],
  ['a package that any room may know', 'platform/callers/planted.ts', 'zod'],
])('allows %s', (_what, from, to) => {
  expect(problemOf({ from, to })).toBeUndefined()
})

it('reads every form of an import', () => {
  const text =
    "import a from './a.ts'\nexport { b } from '../b.ts'\nimport './c.ts'\nawait import('./d.ts')\n"
  expect(importsOf('lib/net/x.ts', text).map(({ to }) => to)).toEqual([
    'lib/net/a.ts',
    'lib/b.ts',
    'lib/net/c.ts',
    'lib/net/d.ts',
  ])
})
