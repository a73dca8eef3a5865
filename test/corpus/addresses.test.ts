/** Addresses that people's links have, at sites with rules and at those of one page. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { deploy } from '../platform/deployments/steps.ts'
import { newCase, respond } from './steps.ts'

const cases = z
  .array(
    z.strictObject({
      what: z.string(),
      source: z.string(),
      spa: z.boolean().default(false),
      files: z.array(z.string()),
      redirects: z.string().optional(),
      /** Target, status, and the file that is served or the Location. */
      requests: z.array(z.tuple([z.string(), z.number(), z.string().nullable()])),
    }),
  )
  .parse(JSON.parse(await readFile(new URL('addresses.json', import.meta.url), 'utf8')))

describe.each(cases)('$what ($source)', ({ spa, files, redirects, requests }) => {
  it('get what they mean', async () => {
    const { team } = await newCase({ spa })
    const { url } = await deploy(team, {
      files: [
        ...files.map((path) => ({ path, content: path })),
        ...(redirects === undefined ? [] : [{ path: '_redirects', content: redirects }]),
      ],
    })
    const got = await Promise.all(
      requests.map(async ([target, , expected]) => {
        const { status, headers, body } = await respond(url, target)
        const outcome = headers.location ?? body
        return [target, status, expected === null ? null : outcome]
      }),
    )
    expect(got).toEqual(requests)
  })
})
