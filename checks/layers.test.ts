/** The rules that keep the layers apart, each checked to refuse what it is for. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

const run = promisify(execFile)
const biome = resolve('checks/node_modules/@biomejs/biome/bin/biome')

const pointingUp = [
  ['src/db/planted.ts', '../deployments/read.ts'],
  ['src/db/planted.ts', '../blobs/blob-store.ts'],
  ['src/blobs/planted.ts', '../auth/keys.ts'],
  ['src/data-dir/planted.ts', '../projects/put.ts'],
  ['src/limits/planted.ts', '../auth/keys.ts'],
  ['src/idempotency/planted.ts', '../auth/keys.ts'],
  ['src/zones/planted.ts', '../domains/put.ts'],
  ['src/zones/planted.ts', '../dns/create.ts'],
  ['src/db/planted.ts', '../zones/family.ts'],
  ['src/domains/planted.ts', '../nameserver/server.ts'],
  ['src/dns/planted.ts', '../routers/index.ts'],
  ['src/nameserver/planted.ts', '../routers/index.ts'],
  ['src/names/planted.ts', '../zones/family.ts'],
  ['src/events/planted.ts', '../webhooks/deliver.ts'],
  ['src/queue/planted.ts', '../builds/build.ts'],
  ['src/db/planted.ts', '../events/record-events.ts'],
  ['src/builds/planted.ts', '../worker/loop.ts'],
  ['src/errors.ts', './db/open.ts'],
  ['src/settings/planted.ts', '../db/open.ts'],
  ['src/log/planted.ts', '../auth/token.ts'],
  ['src/async/planted.ts', '../server/http/request-id.ts'],
  ['src/auth/planted.ts', '../routers/index.ts'],
  ['src/projects/planted.ts', '../trpc/init.ts'],
  ['src/deployments/planted.ts', '../server/api.ts'],
  ['src/observability/planted.ts', '../trpc/init.ts'],
  ['src/auth/teams/planted.ts', '../../routers/index.ts'],
  ['src/backup/planted.ts', '../node/installation.ts'],
  ['src/check/planted.ts', '../server/api.ts'],
  ['src/blobs/planted.ts', '../backup/place.ts'],
  ['src/data-dir/planted.ts', '../check/check.ts'],
  ['src/deployments/planted.ts', '@trpc/server'],
  ['src/auth/planted.ts', 'fastify'],
  ['src/trpc/planted.ts', '../routers/index.ts'],
  ['src/routers/planted.ts', '../server/api.ts'],
  ['src/routers/planted.ts', 'fastify'],
  ['src/edge/planted.ts', '../routers/index.ts'],
  ['src/edge/wire/planted.ts', '../../server/api.ts'],
  ['src/internal/planted.ts', '../edge/sites.ts'],
  ['src/internal/planted.ts', '../routers/index.ts'],
  ['src/internal/metrics/planted.ts', '../../server/api.ts'],
  ['src/projects/planted.ts', '../internal/server.ts'],
  ['src/worker/planted.ts', '@trpc/server'],
  ['src/server/planted.ts', '../edge/server.ts'],
  ['src/cli/planted.ts', '../worker/loop.ts'],
  ['src/cli/commands/planted.ts', '../../server/api.ts'],
  ['src/cli/commands/planted.ts', '../../routers/index.ts'],
  ['src/cli/planted.ts', '../node/node.ts'],
  ['src/worker/planted.ts', '../node/installation.ts'],
  ['src/client/planted.ts', '../server/api.ts'],
  ['src/edge/planted.ts', '../client/index.ts'],
  ['src/cache/planted.ts', '../db/open.ts'],
  ['src/cli/planted.ts', '@trpc/server'],
  ['src/cli/planted.ts', '@trpc/server/http'],
  ['src/edge/planted.ts', '@trpc/client'],
] as const

const pointingDown = [
  ['src/server/allowed.ts', '../routers/index.ts'],
  ['src/routers/allowed.ts', '../projects/put.ts'],
  ['src/deployments/allowed.ts', '../projects/read.ts'],
  ['src/edge/allowed.ts', '../db/store.ts'],
  ['src/edge/wire/allowed.ts', '../sites.ts'],
  ['src/internal/allowed.ts', '../db/failures.ts'],
  ['src/blobs/allowed.ts', '../db/open.ts'],
  ['src/cli/allowed.ts', '../node/admin.ts'],
  ['src/cli/allowed.ts', '@trpc/client'],
  ['src/cli/commands/allowed.ts', '../../client/index.ts'],
] as const

const others = {
  'src/db/one.ts': "import { two } from './two.ts'\n\nexport const one = () => two()\n",
  'src/db/two.ts': "import { one } from './one.ts'\n\nexport const two = () => one()\n",
  'src/db/default.ts': 'export default 1\n',
  'src/db/many.ts': 'export const many = (a: 1, b: 1, c: 1, d: 1, e: 1) => a + b + c + d + e\n',
}

const reportSchema = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
})

let directory = ''
let diagnostics: z.infer<typeof reportSchema>['diagnostics'] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-layers-'))
  const config = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile('biome.json', 'utf8')))
  await writeFile(
    join(directory, 'biome.json'),
    JSON.stringify({ ...config, $schema: undefined, vcs: undefined }),
  )
  const imports = [...pointingUp, ...pointingDown].map(([path, specifier]) => [
    pathOf(path, specifier),
    `import { thing } from '${specifier}'\n\nexport const used = thing()\n`,
  ])
  for (const [path = '', text = ''] of [...imports, ...Object.entries(others)]) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  // Once for all files, since each start of Biome takes longer than checking one.
  const lint = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'src']
  const { stdout } = await run(process.execPath, lint, { cwd: directory }).catch((error) => error)
  diagnostics = reportSchema.parse(JSON.parse(stdout)).diagnostics
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/** A file of its own for each import, in the folder of `path`; for a rule about one file, that file. */
function pathOf(path: string, specifier: string): string {
  return path.replace(/(planted|allowed)\.ts$/, `$1-${specifier.replaceAll(/\W+/g, '-')}.ts`)
}

/** The names of the rules that a file violates. */
function broken(path: string): string[] {
  const found = diagnostics.filter(({ location }) => location.path === path)
  return found.map(({ category }) => category.split('/').at(-1) ?? '')
}

it.each(pointingUp)('%s may not import %s, which is above it', (path, specifier) => {
  expect(broken(pathOf(path, specifier))).toContain('noRestrictedImports')
})

it.each(pointingDown)('%s may import %s, which is below it', (path, specifier) => {
  expect(broken(pathOf(path, specifier))).not.toContain('noRestrictedImports')
})

it('only internal/ knows prom-client', async () => {
  const paths = await readdir('src', { recursive: true })
  const sources = paths.filter((path) => path.endsWith('.ts'))
  const users = await Promise.all(
    sources.map(async (path) =>
      (await readFile(join('src', path), 'utf8')).includes("'prom-client'") ? [path] : [],
    ),
  )
  expect(users.flat().sort()).toEqual(['internal/metrics/process-series.ts'])
})

it('refuses a cycle of imports', () => {
  expect(broken('src/db/one.ts')).toContain('noImportCycles')
})

it('refuses a default export', () => {
  expect(broken('src/db/default.ts')).toContain('noDefaultExport')
})

it('refuses a function with more than four parameters', () => {
  expect(broken('src/db/many.ts')).toContain('useMaxParams')
})
