/** A program of somebody else that installs the typed client from a node, and compiles. */
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { z } from 'zod'
import type { TestNode } from '../../support/node.ts'

const run = promisify(execFile)

/** A directory in which only the client of this node is installed. */
export async function newConsumer({ apiUrl }: TestNode): Promise<string> {
  const directory = await mkdtemp(join(inject('directory'), 'consumer-'))
  await writeFile(join(directory, 'package.json'), '{"type":"module","private":true}')
  const env = { PATH: process.env.PATH, HOME: directory, npm_config_cache: join(directory, '.cache') }
  await run('npm', ['install', `${apiUrl}/client.tgz`], { cwd: directory, env })
  return directory
}

/** The ways to resolve a module of the package, each with its module system. */
export const resolutions = [
  ['nodenext', 'nodenext'],
  ['node16', 'node16'],
  // Deno's, too: the package's `exports` decide.
  ['bundler', 'esnext'],
] as const

type Source = { name: string; text: string; options?: string[] }

/**
 * Compiles this one file of a consumer, types of libraries included; resolves to the errors, one line each.
 */
export async function compile(directory: string, compiler: string, source: Source): Promise<string[]> {
  await writeFile(join(directory, source.name), source.text)
  const options =
    '--strict --exactOptionalPropertyTypes --skipLibCheck false --target es2022 --pretty false'.split(' ')
  const { options: more = ['--module', 'nodenext'] } = source
  const { stdout } = await run(process.execPath, [compiler, ...options, ...more, source.name], {
    cwd: directory,
  }).catch((error) => error)
  return z
    .string()
    .parse(stdout)
    .split('\n')
    .filter((line) => line !== '')
}

const start = `import { type AppRouter, createClient, isClientError } from '@svc-platform/client'
import type { RouterInputs, RouterOutputs } from '@svc-platform/client'
declare const process: { argv: string[] }
declare const console: { log(text: string): void }
const [, , url = '', token = '', project = ''] = process.argv
const client = createClient({ url, token })
`

/**
 * A program that calls procedures of each kind; its arguments are the API's address, a key and a project's
 * name.
 */
export const right = `${start}
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
const refused = await client.projects.get.query({ project: 'other' }).catch((error: unknown) => {
  if (!isClientError(error) || !error.data) throw error
  const reason: 'project_not_found' | (string & {}) = error.data.reason
  return reason
})
console.log(JSON.stringify({ names, state, live: deployment.live, listed: data.length, next, refused }))
`

const mistakes = [
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
  'createClient({ token })',
]

/** A program of which each of the lines `wrongLines` is invalid, for one reason. */
export const wrong = start + mistakes.join('\n')
export const wrongLines = mistakes.map((_, index) => start.split('\n').length + index)

/** The numbers of the lines with a compiler's errors. */
export function linesOf(errors: string[]): number[] {
  return [...new Set(errors.flatMap((error) => /^[\w-]+\.ts\((\d+),/.exec(error)?.[1] ?? []).map(Number))]
}
