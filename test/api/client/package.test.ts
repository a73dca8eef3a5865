/** What other programs install from a node to call it: types and a client, and nothing of the server. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, ClientOptions } from '../../../client/dist/index.js'
import { rollUp } from '../../../client/roll-up.mjs'
import { createClient } from '../../../src/api/client/index.ts'
import { appRouter } from '../../../src/api/routers/index.ts'
import { definitionsOf } from '../../../src/api/trpc/definition.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { compile, linesOf, newConsumer, resolutions, right, wrong, wrongLines } from './consumer.ts'

const run = promisify(execFile)
const compiler = resolve('node_modules/typescript/bin/tsc')

let node: TestNode
let directory: string

beforeAll(async () => {
  node = await sharedNode()
  directory = await newConsumer(node)
})

describe('a tool that installs the client', () => {
  it('gets one package without dependencies, of less than 1 MB', async () => {
    const modules = join(directory, 'node_modules')
    const installed = (await readdir(modules)).filter((name) => !name.startsWith('.'))
    expect({ installed, scope: await readdir(join(modules, '@svc-platform')) }).toEqual({
      installed: ['@svc-platform'],
      scope: ['client'],
    })
    const entries = await readdir(modules, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    const sizes = await Promise.all(
      files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000)
  })

  it.each(resolutions)('compiles with its types, resolved as %s does', async (resolution, module) => {
    const options = ['--moduleResolution', resolution, '--module', module]
    const name = `${resolution}.ts`
    expect(await compile(directory, compiler, { name, text: right, options })).toEqual([])
  })

  it('compiles without the types of any runtime', async () => {
    const options = ['--module', 'nodenext', '--lib', 'es2022', '--types', '']
    expect(await compile(directory, compiler, { name: 'bare.ts', text: right, options })).toEqual([])
  })

  it('calls through the client', async () => {
    expect(await compile(directory, compiler, { name: 'tool.ts', text: right })).toEqual([])
    const { ownerKey } = await newTeam(node)
    const { stdout } = await run(process.execPath, ['tool.js', node.apiUrl, ownerKey, unique('tool')], {
      cwd: directory,
    })
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
    expect(linesOf(await compile(directory, compiler, { name: 'wrong.ts', text: wrong }))).toEqual(wrongLines)
  })

  it("may use the router's types with a client of tRPC's own", async () => {
    await mkdir(join(directory, 'node_modules/@trpc'))
    for (const name of ['client', 'server']) {
      await symlink(resolve('node_modules/@trpc', name), join(directory, 'node_modules/@trpc', name))
    }
    const text = `import { createTRPCClient, httpLink } from '@trpc/client'
import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@svc-platform/client'
const client = createTRPCClient<AppRouter>({ links: [httpLink({ url: '/trpc' })] })
const project = client.projects.get.query({ project: 'a' })
export const name: Promise<string> = project.then((project) => project.name)
export const state: inferRouterOutputs<AppRouter>['deployments']['get']['state'] = 'ready'
export const wrong: Promise<number> = project.then((project) => project.name)
`
    const options = ['--module', 'nodenext', '--skipLibCheck', 'true', '--types', '']
    const errors = await compile(directory, compiler, { name: 'other.ts', text, options })
    expect({ errors, lines: linesOf(errors) }).toMatchObject({ lines: [8] })
  })
})

describe('the types', () => {
  it('are of every procedure', async () => {
    const types = await readFile('client/dist/index.d.ts', 'utf8')
    const declared = [...types.matchAll(/^ {4}(\w+): Procedure<'(\w+)'/gm)].map(
      ([, name, type]) => `${type} ${name}`,
    )
    const all = definitionsOf(appRouter).map(({ name, type }) => `${type} ${name.split('.').at(-1)}`)
    expect(declared.sort()).toEqual(all.sort())
  })

  it('are those of the client', () => {
    // The compiler compares them. `fetch` is the runtime's own there, and what tRPC needs of it here.
    type OfTheLastBuild = (options: Omit<ClientOptions, 'fetch'>) => Client
    const described: OfTheLastBuild = createClient // After a change of the client, run `npm run build`.
    expect(described).toBe(createClient)
  })

  it('are of the version of the program', async () => {
    const [own, program] = await Promise.all(
      ['client/package.json', 'package.json'].map(
        async (file) => JSON.parse(await readFile(file, 'utf8')).version,
      ),
    )
    expect(own).toBe(program)
  })

  it('are not generated if they would need the server’s', () => {
    const declarations = (
      input: string,
    ) => `export declare const appRouter: import("@trpc/server").TRPCBuiltRouter<{
    errorShape: {
        code: import("@trpc/server").TRPC_ERROR_CODE_NUMBER;
    };
}, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
    events: import("@trpc/server").TRPCBuiltRouter<{
    }, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
        follow: import("@trpc/server").TRPCSubscriptionProcedure<{
            input: ${input};
            output: AsyncIterable<{
                id: string;
            }, void, any>;
            meta: object;
        }>;
`
    expect(rollUp(declarations('string'))).toContain(
      "follow: Procedure<'subscription', string, AsyncIterable<{",
    )
    expect(() => rollUp(declarations('import("../../stores/db/store.ts").Row'))).toThrow(
      'The input of follow',
    )
    expect(() => rollUp('')).toThrow('no procedures')
  })
})
