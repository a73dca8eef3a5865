import { describe, expect, it } from 'vitest'
import { patternsIn, re2Problem } from './re2.ts'

describe('a pattern that RE2 reads', () => {
  it.each([
    ...[
      '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$',
      '^(log|evt)_[0-9a-f]{32}$',
      '^meta\\.',
      '(?:a|b)*?',
      '(?i:a)',
      'a{2,}',
      'a{2}?',
    ],
    ...[
      '\\(?!a',
      '[(?!]',
      '[(?=a)]',
      '\\\\(a)',
      '[\\](?!]',
      '[*++]',
      'a\\++',
      '\\*+',
      '[\\w-]',
      '[+-]',
      '[^"\\\\]',
    ],
    ...['\\p{L}\\P{Lu}[\\p{Nd}]', '\\x41', '\\bword\\B', '\\/', '\\d+\\s*\\w', '', '[a-z]{1000}', '[{}+]'],
  ])('%s', (pattern) => expect(re2Problem(pattern)).toBeUndefined())
})

describe('a pattern that it does not', () => {
  it.each([
    ['lookahead', '^(?=a)', '(?= at 1'],
    ['negative lookahead', '^(?!..--)a', '(?! at 1'],
    ['lookbehind', '(?<=a)b', '(?< at 0'],
    ['negative lookbehind', 'a(?<!b)', '(?< at 1'],
    ['lookahead behind a backslash', '\\\\(?!a)', '(?! at 2'],
    ['lookahead behind a class', '[\\]](?!a)', '(?! at 4'],
    ['lookahead within groups', '(a|(b(?!c)))', '(?! at 5'],
    ['a backreference', '(a)\\1', '\\1 at 3'],
    ['a named backreference', '(a)\\k<a>', '\\k< at 3'],
    ['a named group', '(?<a>b)', '(?< at 0'],
    ['an atomic group', '(?>a)', '(?> at 0'],
    ['a condition', '(?(1)a|b)', '(?( at 0'],
    ['a possessive star', 'a*+', '*+ at 1'],
    ['a possessive plus', 'a++', '++ at 1'],
    ['a possessive count', 'a{1,2}+', '{1, at 1'],
    ['a long name of a property', '\\p{Letter}', '\\p{ at 0'],
    ['a property of emoji', '[\\p{Emoji}]', '\\p{ at 1'],
    ['an escape by four digits', '\\u0041', '\\u0 at 0'],
    ['a control character', '\\cA', '\\cA at 0'],
    ['a backspace in a class', '[\\b]', '\\b] at 1'],
    ['NUL', '\\0', '\\0 at 0'],
    ['any character', '[^]', '[^] at 0'],
    ['no character', 'a[]', '[] at 1'],
    ['a range from a class', '[\\w-.]', '\\w- at 1'],
    ['a bracket in a class', '[[]', '[] at 1'],
    ['a difference', '[a--]', '--] at 2'],
    ['a brace that is itself', 'a{', '{ at 1'],
    ['a count above the limit', 'a{1001}', '{10 at 1'],
    ['a range of counts above the limit', 'a{1,1001}', '{1, at 1'],
  ])('has %s', (_what, pattern, problem) => expect(re2Problem(pattern)).toBe(problem))
})

it('patterns are found wherever a schema may have them, and not in examples', () => {
  const schema = {
    properties: {
      pattern: { type: 'string', pattern: 'a' },
      list: { items: [{ anyOf: [{ pattern: 'b' }] }], examples: [{ pattern: 'c' }] },
      map: { propertyNames: { pattern: 'd' }, patternProperties: { e: { pattern: 'f' } } },
      other: { default: { pattern: 'g' } },
      default: { pattern: 'h' },
    },
    responses: { default: { schema: { pattern: 'i' } } },
  }
  expect(patternsIn(schema)).toEqual([
    ['/properties/pattern/pattern', 'a'],
    ['/properties/list/items/0/anyOf/0/pattern', 'b'],
    ['/properties/map/propertyNames/pattern', 'd'],
    ['/properties/map/patternProperties', 'e'],
    ['/properties/map/patternProperties/e/pattern', 'f'],
    ['/properties/default/pattern', 'h'],
    ['/responses/default/schema/pattern', 'i'],
  ])
})
