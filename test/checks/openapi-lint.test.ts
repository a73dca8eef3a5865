/** The OpenAPI document passes Redocly's recommended rules without a warning. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenApiDocument } from '../../src/server/openapi/document.ts'

const run = promisify(execFile)
const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
)
const reportSchema = z.object({ problems: z.array(z.object({ ruleId: z.string(), message: z.string() })) })

let directory = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-openapi-'))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/** What Redocly finds wrong with the document, each as `rule: message`. */
async function lint(document: unknown): Promise<string[]> {
  const file = join(directory, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { env: environment, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await run(
    process.execPath,
    [redocly, 'lint', '--config', 'redocly.yaml', '--format', 'json', file],
    options,
  ).catch((error) => error)
  return reportSchema.parse(JSON.parse(stdout)).problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

const document = createOpenApiDocument('https://api.svc.test', '1.2.3')

it('finds nothing to say', async () => {
  expect(await lint(document)).toEqual([])
})

it.each<[string, string, string]>([
  ['a reference to nothing', '"#/components/schemas/Error"', '"#/components/schemas/Errors"'],
  ['an example that breaks its schema', '"state":"ready"', '"state":"done"'],
  ['an operation without a summary', '"summary":"List projects",', ''],
  ['a parameter that is not in the path', '/v1/projects/{project}', '/v1/projects/{name}'],
])('would find %s', async (_what, text, planted) => {
  const json = JSON.stringify(document)
  expect(json).toContain(text)
  expect(await lint(JSON.parse(json.replaceAll(text, planted)))).not.toEqual([])
})
