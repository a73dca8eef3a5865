/** The OpenAPI document passes all of Spectral's rules for OpenAPI without a warning. */
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenApiDocument } from '../src/server/openapi/document.ts'

const ruleset: RulesetDefinition = {
  extends: [[z.custom<RulesetDefinition>().parse(oas), 'all']],
  rules: {
    // Contact data depends on the installation.
    'info-contact': 'off',
    // `identifier` is used instead, which OpenAPI 3.1 does not allow beside `url`.
    'license-url': 'off',
    // In the order in which a site needs them.
    'openapi-tags-alphabetical': 'off',
  },
}

/** Spectral's findings in the document, each as `rule at place: message`. */
async function lint(document: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(ruleset)
  const found = await spectral.run(JSON.stringify(document))
  return found.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)
}

const document: object = JSON.parse(JSON.stringify(createOpenApiDocument('https://api.svc.test', '1.2.3')))

it('has no findings', async () => {
  expect(await lint(document)).toEqual([])
})

it.each<[string, string, string]>([
  ['a broken reference', '"#/components/schemas/Error"', '"#/components/schemas/Errors"'],
  ['an example that violates its schema', '"state":"ready"', '"state":"done"'],
  ['an example of an error that violates its schema', '"reason":"is_live"', '"reason":"is_dead"'],
  ['an undescribed tag', '"tags":["DNS"]', '"tags":["Names"]'],
])('would find %s', { tags: 'long' }, async (_what, text, planted) => {
  const json = JSON.stringify(document)
  expect(json).toContain(text)
  expect(await lint(JSON.parse(json.replaceAll(text, planted)))).not.toEqual([])
})
