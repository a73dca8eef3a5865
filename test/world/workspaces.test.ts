/**
 * Packages of workspaces are built with the package managers that they name, as the registry has them.
 * @module-tag long
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'
import { get as visit } from './visit.ts'

vi.setConfig({ testTimeout: 600_000 })

let program: Program

beforeAll(async () => {
  // A mirror of the registry may have a private address, and an authority of its own.
  program = await startProgram({
    SVC_DATA_DIR: join(await newDataDirectory(), 'data'),
    SVC_BUILD_NETWORK: 'registries',
    SVC_RESOLVE_PRIVATE: '1',
  })
}, 60_000)
afterAll(() => program.end('SIGTERM'))

const authority = process.env.NODE_EXTRA_CA_CERTS
const env =
  authority === undefined
    ? []
    : ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'].map((key) => ({ key, value: authority }))

const made = z.object({ id: z.string() })
const deployment = z.object({ state: z.string(), url: z.string(), error: z.unknown() })
const logPage = z.object({ data: z.array(z.object({ message: z.string() })) })

async function ask<T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${program.apiUrl}${path}`, { method, headers, body: JSON.stringify(body) })
  return schema.parse(await answer.json())
}

async function whenEnded(id: string) {
  for (;;) {
    const found = await ask(deployment, 'GET', `/v1/deployments/${id}?wait_s=30`)
    if (!['queued', 'building'].includes(found.state)) return found
  }
}

const json = (value: object) => JSON.stringify(value)

function workspaceOf(reference: string, root: object): Record<string, string> {
  return {
    'package.json': json({ private: true, workspaces: ['apps/*', 'packages/*'], ...root }),
    'packages/ui/package.json': json({ name: '@acme/ui', version: '1.0.0', main: 'index.js' }),
    'packages/ui/index.js': "module.exports = require('nanoid/package.json').name + ' by the workspace'",
    'apps/web/package.json': json({
      name: 'web',
      scripts: { build: 'node build.cjs' },
      dependencies: { '@acme/ui': reference, nanoid: '3.3.11' },
    }),
    'apps/web/build.cjs':
      "const fs = require('fs'); fs.mkdirSync('dist'); " +
      "fs.writeFileSync('dist/index.html', require('@acme/ui'))",
  }
}

const pnpmWorkspace = { 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n  - packages/*\n' }
const hoisted = { '.yarnrc.yml': 'nodeLinker: node-modules\n' }

it.each<[string, Record<string, string>, string, string, RegExp]>([
  ['npm', workspaceOf('*', {}), 'npm install', 'npm run build', /added \d+ packages/],
  [
    'pnpm',
    {
      ...workspaceOf('workspace:*', { packageManager: 'pnpm@10.27.0' }),
      ...pnpmWorkspace,
      '.npmrc': 'shamefully-hoist=true\n',
    },
    'pnpm install',
    'pnpm run build',
    /Fetching pnpm 10\.27\.0….*using pnpm v10\.27\.0/s,
  ],
  [
    'Yarn 4',
    { ...workspaceOf('workspace:*', { packageManager: 'yarn@4.5.0' }), ...hoisted },
    'yarn install --no-immutable',
    'yarn run build',
    /Fetching yarn 4\.5\.0….*Yarn 4\.5\.0/s,
  ],
  [
    'Bun',
    workspaceOf('workspace:*', { packageManager: 'bun@1.2.23' }),
    'bun install',
    'bun run build',
    /Fetching bun 1\.2\.23….*bun install v1\.2\.23/s,
  ],
])('%s', async (name, files, install, command, printed) => {
  const project = name.toLowerCase().replaceAll(' ', '-')
  await ask(made, 'PUT', `/v1/projects/${project}`, { env })
  const { id } = await ask(made, 'POST', '/v1/deployments', {
    project,
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    build: { install_command: install, build_command: command, root_directory: 'apps/web' },
  })
  const ended = await whenEnded(id)
  const { data } = await ask(logPage, 'GET', `/v1/logs?deployment=${id}&kind=build&limit=100`)
  const log = data.map(({ message }) => message).reverse()
  expect([ended.error, log.join('\n')]).toEqual([null, expect.stringMatching(printed)])
  expect(String((await visit(ended.url, '')).bytes)).toBe('nanoid by the workspace')
})
