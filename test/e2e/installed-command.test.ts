/**
 * The command that a node serves, installed as users do.
 * @module-tag long
 */
import { execFile } from 'node:child_process'
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { version } from '../../src/lib/version.ts'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'

const run = promisify(execFile)

let directory = ''
let program: Program

beforeAll(async () => {
  directory = await newDataDirectory()
  program = await startProgram({ SVC_DATA_DIR: join(directory, 'data') })
  const install = ['install', '-g', `${program.apiUrl}/svc.tgz`, '--prefix', directory]
  const env = { PATH: process.env.PATH, HOME: directory, npm_config_cache: join(directory, 'cache') }
  await run('npm', install, { env })
})

afterAll(async () => {
  await program.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

/** Runs the installed command outside of any clone. */
function svc(...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    SVC_URL: program.apiUrl,
    SVC_TOKEN: program.key ?? '',
  }
  return run(join(directory, 'bin/svc'), args, { cwd: directory, env })
}

it('has the server’s version, and deploys a site', async () => {
  expect((await svc('--version')).stdout).toBe(`${version}\n`)
  const site = resolve('examples/hello/site')
  const { stdout, stderr } = await svc('deploy', site, '--project', 'web', '--prod')
  expect({ stdout, stderr }).toMatchObject({ stdout: `${program.siteUrl('web')}\n` })
  expect(await visit(program.siteUrl('web'))).toMatchObject({ status: 200 })
})

it('serves tools', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: join(directory, 'bin/svc'),
      args: ['mcp'],
      cwd: directory,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: directory,
        SVC_URL: program.apiUrl,
        SVC_TOKEN: program.key ?? '',
      },
    }),
  )
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  expect(await client.callTool({ name: 'projects_list' })).not.toHaveProperty('isError', true)
  await client.close()
})

it('takes less than 2 MB in all', async () => {
  const root = join(directory, 'lib/node_modules')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_000_000)
})

it('refers users who want to administer a node to the node’s machine', async () => {
  const refused = await svc('admin', 'key').catch((error) => error)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('npm run -s svc -- admin')
})
