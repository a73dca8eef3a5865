/** The OpenAPI document passes Redocly's recommended rules without a warning. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenApiDocument } from '../src/api/server/openapi/document.ts'

const run = promisify(execFile)
const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
)
const reportSchema = z.object({ problems: z.array(z.object({ ruleId: z.string(), message: z.string() })) })

const document = JSON.stringify(createOpenApiDocument('https://api.svc.test', '1.2.3'))

const planted = [
  ['a broken reference', '"#/components/schemas/Error"', '"#/components/schemas/Errors"'],
  ['an example that violates its schema', '"state":"ready"', '"state":"done"'],
  ['an operation without a summary', '"summary":"List projects",', ''],
  ['a parameter that is not in the path', '/v1/projects/{project}', '/v1/projects/{name}'],
] as const

let directory = ''
/** Redocly's findings for the document, then for each of the planted errors. */
let found: string[][] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-openapi-'))
  found = await lint([document, ...planted.map(([, text, wrong]) => document.replaceAll(text, wrong))])
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/** Redocly's findings for each of these documents, from one run, each as `rule: message`. */
async function lint(documents: string[]): Promise<string[][]> {
  const files = documents.map((_, index) => join(directory, `${index}.json`))
  for (const [index, file] of files.entries()) await writeFile(file, documents[index] ?? '')
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { env: environment, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await run(
    process.execPath,
    [redocly, 'lint', '--config', 'tools/redocly.yaml', '--format', 'json', ...files],
    options,
  ).catch((error) => error)
  // It writes one report per file, one right after the other.
  const reports = z
    .string()
    .parse(stdout)
    .replaceAll('\n}{\n', '\n}\n{\n')
    .split(/^(?=\{)/m)
  return reports.map((report) =>
    reportSchema.parse(JSON.parse(report)).problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
  )
}

it('has no findings', () => {
  expect(found[0]).toEqual([])
})

it.each(planted.map(([what, text], index) => ({ what, text, index })))(
  'would find $what',
  ({ text, index }) => {
    expect(document).toContain(text)
    expect(found[index + 1]).not.toEqual([])
    expect(found).toHaveLength(planted.length + 1)
  },
)
