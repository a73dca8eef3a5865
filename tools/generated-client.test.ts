/** A client that another generator creates from the document compiles, and does the README's tour. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedNode, type TestNode, unique } from '../test/support/node.ts'
import { visit } from '../test/support/program.ts'
import { newTeam } from '../test/support/team.ts'

const run = promisify(execFile)
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

let node: TestNode
let directory: string

beforeAll(async () => {
  node = await sharedNode()
  directory = await mkdtemp(join(tmpdir(), 'svc-client-'))
  const response = await fetch(new URL('/openapi.json', node.apiUrl))
  await writeFile(join(directory, 'openapi.json'), await response.text())
  await createClient({
    input: join(directory, 'openapi.json'),
    output: join(directory, 'client'),
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  })
})

afterAll(() => rm(directory, { recursive: true, force: true }))

const tour = `
import { deploymentsCreate, deploymentsList, projectsGet, projectsPut, type Deployment } from './client'
import { client } from './client/client.gen'
declare const process: { argv: string[] }
declare const console: { log(text: string): void }

const [, , baseUrl = '', auth = '', project = ''] = process.argv
client.setConfig({ baseUrl, auth })

async function main(): Promise<void> {
  const unknown = await projectsGet({ path: { project } })
  // @ts-expect-error There is no such reason.
  if (unknown.error?.reason === 'nonsense') return
  if (unknown.error?.reason !== 'project_not_found') throw new Error('It is there already.')
  await projectsPut({ path: { project }, body: { spa: true }, throwOnError: true })
  const files = [{ path: 'index.html', content: '<h1>Hello</h1>' }]
  // @ts-expect-error A field is missing.
  const refused = await deploymentsCreate({ body: { files } })
  if (refused.error?.issues?.[0]?.path !== 'project') throw new Error('Nothing is missed.')
  await deploymentsCreate({ body: { project, target: 'production', files }, throwOnError: true })
  const list = await deploymentsList({ query: { project, state: 'ready' }, throwOnError: true })
  const [deployment]: Deployment[] = list.data.data
  console.log(deployment?.aliases[0] ?? '')
}

void main()
`

it('goes from nothing to a live site', async () => {
  await writeFile(join(directory, 'tour.ts'), tour)
  await writeFile(join(directory, 'package.json'), '{"type":"commonjs"}')
  const options = '--strict --target es2022 --module commonjs'
  const command = [tsc, ...options.split(' '), '--lib', 'es2022,dom,dom.iterable', 'tour.ts']
  const compiled = await run(process.execPath, command, { cwd: directory }).catch((error) => error)
  expect(compiled.stdout).toBe('')

  const { ownerKey } = await newTeam(node)
  const { stdout } = await run(process.execPath, ['tour.js', node.apiUrl, ownerKey, unique('web')], {
    cwd: directory,
  })
  expect(await visit(stdout.trim())).toEqual({ status: 200, text: '<h1>Hello</h1>' })
})
