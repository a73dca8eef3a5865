/** The OpenAPI document passes Spectral's rules for OpenAPI, all of them, without a warning. */
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenApiDocument } from '../../src/server/openapi/document.ts'

const ruleset: RulesetDefinition = {
  extends: [[z.custom<RulesetDefinition>().parse(oas), 'all']],
  rules: {
    // Whom to ask is for each installation to say.
    'info-contact': 'off',
    // `identifier` stands instead, beside which OpenAPI 3.1 allows no `url`.
    'license-url': 'off',
    // In the order in which a site needs them.
    'openapi-tags-alphabetical': 'off',
  },
}

/** What Spectral finds wrong with the document, each as `rule at place: message`. */
async function lint(document: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(ruleset)
  const found = await spectral.run(JSON.stringify(document))
  return found.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)
}

const document: object = JSON.parse(JSON.stringify(createOpenApiDocument('https://api.svc.test', '1.2.3')))

it('finds nothing to say', async () => {
  expect(await lint(document)).toEqual([])
})

it.each<[string, string, string]>([
  ['a reference to nothing', '"#/components/schemas/Error"', '"#/components/schemas/Errors"'],
  ['an example that breaks its schema', '"state":"ready"', '"state":"done"'],
  ['an example of an error that breaks its schema', '"reason":"is_live"', '"reason":"is_dead"'],
  ['a tag that is not described', '"tags":["DNS"]', '"tags":["Names"]'],
])('would find %s', { tags: 'long' }, async (_what, text, planted) => {
  const json = JSON.stringify(document)
  expect(json).toContain(text)
  expect(await lint(JSON.parse(json.replaceAll(text, planted)))).not.toEqual([])
})
