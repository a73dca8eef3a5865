/** `_redirects` and `_headers` as other platforms document them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newCase, respond, writeFiles } from './steps.ts'

const cases = z
  .array(
    z.strictObject({
      what: z.string(),
      source: z.string(),
      redirects: z.string().optional(),
      headers: z.string().optional(),
      /** How the texts of the warnings begin. */
      warnings: z.array(z.string()).default([]),
      /** The message of the refusal. */
      problem: z.string().optional(),
      method: z.string().default('GET'),
      /** Target, status, and headers, of which null means none. */
      responses: z
        .array(z.tuple([z.string(), z.number(), z.record(z.string(), z.string().nullable())]))
        .default([]),
    }),
  )
  .parse(JSON.parse(await readFile(new URL('rules.json', import.meta.url), 'utf8')))

const files = {
  'index.html': 'home',
  'data.json': '{}',
  'Build/game.wasm.br': 'not really compressed',
  '.well-known/apple-app-site-association': '{}',
}

describe.each(cases)('$what ($source)', ({ redirects, headers, warnings, problem, method, responses }) => {
  const all = {
    ...files,
    ...(redirects !== undefined && { _redirects: redirects }),
    ...(headers !== undefined && { _headers: headers }),
  }

  it('apply, or say what to write instead, by the API', async () => {
    const { team } = await newCase()
    const { status, body } = await team.owner('POST', '/v1/deployments', {
      project: 'web',
      target: 'production',
      files: Object.entries(all).map(([path, content]) => ({ path, content })),
    })
    if (problem !== undefined) {
      expect([status, body.message]).toEqual([400, problem])
      return
    }
    expect(status).toBe(200)
    for (const [target, expected, fields] of responses) {
      const found = await respond(body.aliases[0], target, method)
      const names = Object.keys(fields)
      const got = Object.fromEntries(names.map((name) => [name, found.headers[name] ?? null]))
      expect([target, found.status, got]).toEqual([target, expected, fields])
    }
  })

  it('are warned of, or refused, by the command', async () => {
    const { home, svc } = await newCase()
    await writeFiles(join(home, 'work', 'site'), all)
    const { code, stderr } = await svc(['deploy', 'site', '--project', 'web'])
    if (problem !== undefined) {
      expect(code).toBe(2)
      expect(stderr).toContain(problem)
      return
    }
    expect(code).toBe(0)
    const printed = stderr.split('\n').flatMap((line) => line.split(/^Warning: /)[1] ?? [])
    expect(printed).toHaveLength(warnings.length)
    for (const [index, beginning] of warnings.entries()) expect(printed[index]).toContain(beginning)
  })
})
