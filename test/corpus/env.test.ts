/** `.env` files as people have them, by the command; the dashboard has the same parser. */
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EnvFileError, parseEnvFile } from '../../src/lib/env-file.ts'
import { openEnv } from '../../src/platform/projects/open-env.ts'
import { projects } from '../../src/stores/db/schema/projects.ts'
import { newCase } from './steps.ts'

const inputs = join(import.meta.dirname, 'env')

const cases = z
  .array(
    z.strictObject({
      file: z.string(),
      source: z.string(),
      values: z.record(z.string(), z.string()).optional(),
      problem: z.string().optional(),
    }),
  )
  .parse(JSON.parse(await readFile(`${inputs}.json`, 'utf8')))

describe.each(cases)('$file ($source)', ({ file, values, problem }) => {
  it('is read, or refused with its line', async () => {
    const text = await readFile(join(inputs, file), 'utf8')
    if (problem !== undefined) {
      expect(() => parseEnvFile(text)).toThrow(EnvFileError)
      expect(() => parseEnvFile(text)).toThrow(problem)
      return
    }
    expect(Object.fromEntries(parseEnvFile(text).map(({ key, value }) => [key, value]))).toEqual(values)
  })

  it('becomes the variables of a project whole, or not at all', async () => {
    const { node, team, home, svc } = await newCase()
    await cp(join(inputs, file), join(home, 'work', file))
    const { code, stderr } = await svc(['env', 'import', file, '--project', 'web'])
    const { installation } = node
    const [project] = await installation.store.db
      .select({ id: projects.id })
      .from(projects)
      .where(eq(projects.teamId, team.id))
    const found = await openEnv(installation.store.db, installation.keys.env, {
      projectId: project?.id ?? '',
      target: 'production',
      meta: {},
    })
    if (problem === undefined) expect([code, found]).toEqual([0, values])
    else {
      expect([code, found]).toEqual([2, {}])
      expect(stderr).toContain(`${file}, ${problem}`)
    }
  })
})
