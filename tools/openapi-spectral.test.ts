/** The OpenAPI document passes all of Spectral's rules for OpenAPI without a warning. */
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenApiDocument } from '../src/api/server/openapi/document.ts'

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

/** The findings where texts of the document are replaced. */
function lintPlanted(replacements: [text: string, planted: string][]): Promise<string[]> {
  let json = JSON.stringify(document)
  for (const [text, planted] of replacements) {
    expect(json).toContain(text)
    json = json.replaceAll(text, planted)
  }
  return lint(JSON.parse(json))
}

it('would find a broken reference', { tags: 'long' }, async () => {
  const broken = await lintPlanted([['"#/components/schemas/Error"', '"#/components/schemas/Errors"']])
  expect(broken).toContainEqual(expect.stringMatching(/^invalid-ref at /))
})

it('would find an example that violates its schema, also one of an error, and an undescribed tag', {
  tags: 'long',
}, async () => {
  const found = await lintPlanted([
    ['"state":"ready"', '"state":"done"'],
    ['"reason":"is_live"', '"reason":"is_dead"'],
    ['"tags":["DNS"]', '"tags":["Names"]'],
  ])
  expect(found).toContainEqual(expect.stringMatching(/^oas3-valid-media-example at .*\.state: /))
  expect(found).toContainEqual(expect.stringMatching(/^oas3-valid-media-example at .*\.reason: /))
  expect(found).toContainEqual(expect.stringMatching(/^operation-tag-defined at .*tags\.0: /))
})
