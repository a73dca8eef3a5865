/** The rules of Biome that the presets don't have, each checked to refuse what it is for. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

const run = promisify(execFile)
const biome = resolve('tools/node_modules/@biomejs/biome/bin/biome')

const planted = {
  'src/stores/db/one.ts': "import { two } from './two.ts'\n\nexport const one = () => two()\n",
  'src/stores/db/two.ts': "import { one } from './one.ts'\n\nexport const two = () => one()\n",
  'src/stores/db/default.ts': 'export default 1\n',
  'src/stores/db/many.ts': 'export const many = (a: 1, b: 1, c: 1, d: 1, e: 1) => a + b + c + d + e\n',
}

const reportSchema = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
})

let directory = ''
let diagnostics: z.infer<typeof reportSchema>['diagnostics'] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-rules-'))
  const config = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile('biome.json', 'utf8')))
  await writeFile(
    join(directory, 'biome.json'),
    JSON.stringify({ ...config, $schema: undefined, vcs: undefined }),
  )
  for (const [path, text] of Object.entries(planted)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  // Once for all files, since each start of Biome takes longer than checking one.
  const lint = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'src']
  const { stdout } = await run(process.execPath, lint, { cwd: directory }).catch((error) => error)
  diagnostics = reportSchema.parse(JSON.parse(stdout)).diagnostics
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/** The names of the rules that a file violates. */
function broken(path: string): string[] {
  const found = diagnostics.filter(({ location }) => location.path === path)
  return found.map(({ category }) => category.split('/').at(-1) ?? '')
}

it('refuses a cycle of imports', () => {
  expect(broken('src/stores/db/one.ts')).toContain('noImportCycles')
})

it('refuses a default export', () => {
  expect(broken('src/stores/db/default.ts')).toContain('noDefaultExport')
})

it('refuses a function with more than four parameters', () => {
  expect(broken('src/stores/db/many.ts')).toContain('useMaxParams')
})
