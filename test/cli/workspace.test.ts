/** A package of a workspace is built on the server with the workspace. */
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome, type Svc } from './svc.ts'

let node: TestNode
let team: TestTeam
let work: string
let svc: (folder: string, ...args: string[]) => ReturnType<Svc>

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const { home, svc: run } = await newHome()
  work = join(await realpath(home), 'work')
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey, PATH: String(process.env.PATH) }
  svc = (folder, ...args) => run(args, { cwd: join(work, folder), env })
  await write({
    'pnpm-workspace.yaml': 'packages:\n  - apps/*\n  - packages/*\n',
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    'apps/web/package.json': JSON.stringify({
      scripts: { build: 'vite build' },
      devDependencies: { vite: 'catalog:' },
    }),
    'apps/web/index.html': 'source',
    'apps/docs/index.html': 'a page',
    'packages/ui/package.json': '{"name":"ui"}',
  })
})

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true })
    await writeFile(join(work, path), content)
  }
}

const linkIn = async (folder: string) => JSON.parse(await readFile(join(work, folder, 'svc.json'), 'utf8'))
const list = async () => (await team.owner('GET', '/v1/deployments')).body.data
const build = {
  install_command: 'pnpm install --frozen-lockfile',
  build_command: 'pnpm run build',
  output_directory: 'dist',
  root_directory: 'apps/web',
}

it('--remote sends the workspace, and later deployments do, with its svc.json', async () => {
  const { code, stderr } = await svc('apps/web', 'deploy', '--project', 'web', '--remote', '--no-wait')
  expect(stderr).toContain(`Sends the workspace ${work}, with which ${join(work, 'apps/web')} is installed.`)
  expect(code).toBe(0)
  const link = await linkIn('apps/web')
  expect(link).toMatchObject({ project: 'web', build })
  expect(link).not.toHaveProperty('directory')
  expect(await svc('apps/web', 'deploy', '--no-wait')).toMatchObject({ code: 0 })
  expect(await list()).toMatchObject([
    { files: 7, build },
    { files: 6, build },
  ])
})

it('so it does from the root of the workspace', async () => {
  const first = await svc('.', 'deploy', 'apps/web', '--project', 'web', '--remote', '--no-wait')
  expect(first.code).toBe(0)
  expect(await linkIn('.')).toMatchObject({ project: 'web', build })
  expect(await svc('.', 'deploy', '--no-wait')).toMatchObject({ code: 0 })
  expect((await list()).map(({ files }: { files: number }) => files)).toEqual([6, 6])
})

it('a project that is built in the package gets the workspace', async () => {
  await team.owner('PUT', '/v1/projects/web', { build })
  expect(await svc('apps/web', 'deploy', '--project', 'web', '--no-wait')).toMatchObject({ code: 0 })
  await team.owner('PUT', '/v1/projects/other', { build: { ...build, root_directory: '.' } })
  expect(await svc('apps/web', 'deploy', '--project', 'other', '--no-wait')).toMatchObject({ code: 0 })
  expect((await list()).map(({ files }: { files: number }) => files)).toEqual([2, 6])
})

it('a site beside it is sent alone', async () => {
  expect(await svc('apps/docs', 'deploy', '--project', 'web')).toMatchObject({ code: 0 })
  expect(await list()).toMatchObject([{ files: 1, state: 'ready' }])
})

it('a package manager that is missing here is named', async () => {
  await write({ 'apps/web/package.json': '{"scripts":{"build":"vite build"},"dependencies":{"vite":"7"}}' })
  const { home, svc: run } = await newHome()
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey, PATH: join(home, 'none') }
  const cwd = join(work, 'apps/web')
  const { code, stderr } = await run(['deploy', '--project', 'web', '--build'], { cwd, env })
  expect(code).toBe(1)
  expect(stderr).toMatch(/pnpm install --frozen-lockfile ended with 127\. If pnpm is not installed here: npm/)
})
