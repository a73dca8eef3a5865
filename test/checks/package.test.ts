/** What other programs import from this package: types and a client, and nothing of the server. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam } from '../support/team.ts'

const run = promisify(execFile)
const compilers = [
  { name: 'TypeScript 7', compiler: resolve('node_modules/typescript/bin/tsc'), tags: [] },
  {
    name: 'TypeScript 5',
    compiler: resolve('test/rest-client/node_modules/typescript/bin/tsc'),
    tags: ['long'],
  },
]

let directory = ''
let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
  directory = await mkdtemp(join(tmpdir(), 'svc-package-'))
  const built = join(directory, 'svc')
  await mkdir(built)
  await cp('package.json', join(built, 'package.json'))
  await symlink(resolve('node_modules'), join(built, 'node_modules'))
  await cp('dist', join(built, 'dist'), { recursive: true })
  await mkdir(join(directory, 'consumer/node_modules'), { recursive: true })
  await symlink(built, join(directory, 'consumer/node_modules/svc'))
  await writeFile(join(directory, 'consumer/package.json'), '{"type":"module"}')
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/** Compiles this one file of the consumer; resolves to the numbers of the lines that are wrong, and what is wrong. */
async function compile(compiler: string, name: string, source: string): Promise<string[]> {
  await writeFile(join(directory, 'consumer', name), source)
  const options =
    '--strict --exactOptionalPropertyTypes --module nodenext --target es2022 --skipLibCheck'.split(' ')
  const command = [compiler, ...options, '--pretty', 'false', name]
  const { stdout } = await run(process.execPath, command, { cwd: join(directory, 'consumer') }).catch(
    (error) => error,
  )
  return z
    .string()
    .parse(stdout)
    .split('\n')
    .filter((line) => line !== '')
}

const start = `import { type AppRouter, createClient, type RouterInputs, type RouterOutputs } from 'svc'
declare const process: { argv: string[] }
declare const console: { log(text: string): void }
const [, , url = '', token = '', project = ''] = process.argv
const client = createClient({ url, token })
`

const right = `${start}
type Names = keyof AppRouter['_def']['record']
const names: Names[] = ['deployments', 'projects', 'tokens']
const input: RouterInputs['projects']['put'] = { project, env: [{ key: 'MODE', value: 'test' }] }
const made: RouterOutputs['projects']['put'] = await client.projects.put.mutate(input)
const deployment = await client.deployments.create.mutate({
  project: made.name,
  target: 'production',
  files: [{ path: 'index.html', content: '<h1>Hello</h1>' }],
})
const state: 'queued' | 'building' | 'ready' | 'error' | 'canceled' = deployment.state
const { data, next_cursor } = await client.deployments.list.query({ project, limit: 1 })
const next: string | null = next_cursor
const refused = await client.projects.get.query({ project: 'other' }).catch((error) => error.data.reason)
console.log(JSON.stringify({ names, state, live: deployment.live, listed: data.length, next, refused }))
`

/** Each line after the first of these is wrong, for one reason. */
const wrong = [
  'await client.projects.put.mutate({})',
  'await client.projects.put.mutate({ project, spa: "yes" })',
  'await client.projects.put.mutate({ project, other: 1 })',
  'await client.projects.put.query({ project })',
  'await client.projects.get.query({ project: 5 })',
  'await client.projects.nothing.query({})',
  'await client.deployments.list.query({ target: "staging" })',
  'export const spa: string = (await client.projects.get.query({ project })).spa',
  'export const secret = (await client.tokens.listKeys.query({})).data[0]?.token',
  'export const input: RouterInputs["tokens"]["createKey"] = { role: "king", name: "a" }',
  'export const output: RouterOutputs["deployments"]["get"] = { id: "dpl_1" }',
]

for (const { name, compiler, tags } of compilers) {
  describe(`a tool that is compiled with ${name}`, { tags }, () => {
    it('calls through the client that it imports', async () => {
      const file = `${name.replace(' ', '-')}.ts`
      expect(await compile(compiler, file, right)).toEqual([])
      const { ownerKey } = await newTeam(node)
      const { stdout } = await run(
        process.execPath,
        [file.replace('.ts', '.js'), node.apiUrl, ownerKey, unique('tool')],
        {
          cwd: join(directory, 'consumer'),
        },
      )
      expect(JSON.parse(stdout)).toEqual({
        names: ['deployments', 'projects', 'tokens'],
        state: 'ready',
        live: true,
        listed: 1,
        next: null,
        refused: 'project_not_found',
      })
    })

    it('does not compile where an input or an output is used wrongly', async () => {
      const errors = await compile(compiler, 'wrong.ts', start + wrong.join('\n'))
      const first = start.split('\n').length
      const lines = errors.flatMap((error) => /^wrong\.ts\((\d+),/.exec(error)?.[1] ?? []).map(Number)
      expect([...new Set(lines)]).toEqual(wrong.map((_, index) => first + index))
    })
  })
}

describe('importing the package', () => {
  it('loads its two modules and the client of tRPC, and nothing of the server', async () => {
    const coverage = join(directory, 'coverage')
    await run(process.execPath, ['--input-type=module', '--eval', 'import "svc"'], {
      cwd: join(directory, 'consumer'),
      env: { ...process.env, NODE_V8_COVERAGE: coverage },
    })
    const urls = await loadedUrls(coverage)
    const modules = pathToFileURL(`${await realpath('node_modules')}/`).href
    const packages = urls.flatMap((url) =>
      url.startsWith(modules) ? packageOf(url.slice(modules.length)) : [],
    )
    expect([...new Set(packages)].sort()).toEqual(['@trpc/client', '@trpc/server'])
    const own = pathToFileURL(join(directory, 'svc/dist/')).href
    const files = [`${own}client/index.js`, `${own}client/jwt-link.js`]
    expect(urls.filter((url) => url.startsWith(own))).toEqual(files)
  })

  it('opens no other door', async () => {
    const script = 'import("svc/dist/node/node.js").catch((error) => console.log(error.code))'
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: join(directory, 'consumer'),
    })
    expect(stdout.trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })
})

/** The address of every module that a process loaded, of which it left its coverage in this directory. */
async function loadedUrls(coverage: string): Promise<string[]> {
  const schema = z.object({ result: z.array(z.object({ url: z.string() })) })
  const files = await readdir(coverage)
  const texts = await Promise.all(files.map((file) => readFile(join(coverage, file), 'utf8')))
  return texts.flatMap((text) => schema.parse(JSON.parse(text)).result.map(({ url }) => url))
}

function packageOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}
