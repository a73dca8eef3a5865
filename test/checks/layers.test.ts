/** The rules that keep the layers apart, each shown to refuse what it is there for. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const run = promisify(execFile)
const biome = resolve('node_modules/@biomejs/biome/bin/biome')

let directory = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-layers-'))
  const config = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile('biome.json', 'utf8')))
  await writeFile(
    join(directory, 'biome.json'),
    JSON.stringify({ ...config, $schema: undefined, vcs: undefined }),
  )
  await cp('src/errors.ts', join(directory, 'src/errors.ts'))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/** The names of the rules that these files break. */
async function broken(files: Record<string, string>): Promise<string[]> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  const paths = Object.keys(files)
  const lint = [biome, 'lint', '--reporter=json', ...paths]
  const { stdout } = await run(process.execPath, lint, { cwd: directory }).catch((error) => error)
  const report = z
    .object({ diagnostics: z.array(z.object({ category: z.string() })) })
    .parse(JSON.parse(stdout))
  return report.diagnostics.map(({ category }) => category.split('/').at(-1) ?? '')
}

const use = (specifier: string) => `import { thing } from '${specifier}'\n\nexport const used = thing()\n`

describe('an import that points up', () => {
  it.each([
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
  ])('%s may not import %s', async (path, specifier) => {
    expect(await broken({ [path]: use(specifier) })).toContain('noRestrictedImports')
  })
})

describe('an import that points down', () => {
  it.each([
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
  ])('%s may import %s', async (path, specifier) => {
    expect(await broken({ [path]: use(specifier) })).not.toContain('noRestrictedImports')
  })
})

it('only internal/ knows prom-client', async () => {
  const paths = await readdir('src', { recursive: true })
  const sources = paths.filter((path) => path.endsWith('.ts'))
  const users = await Promise.all(
    sources.map(async (path) =>
      (await readFile(join('src', path), 'utf8')).includes("'prom-client'") ? [path] : [],
    ),
  )
  expect(users.flat().sort()).toEqual(['internal/metrics/metrics.ts'])
})

it('refuses a cycle of imports', async () => {
  const files = {
    'src/db/one.ts': "import { two } from './two.ts'\n\nexport const one = () => two()\n",
    'src/db/two.ts': "import { one } from './one.ts'\n\nexport const two = () => one()\n",
  }
  expect(await broken(files)).toContain('noImportCycles')
})

it('refuses a default export', async () => {
  expect(await broken({ 'src/db/default.ts': 'export default 1\n' })).toContain('noDefaultExport')
})
