/** The text of a `.env` file, pasted into the settings of a project. */
import { expect, it } from 'vitest'
import { parseEnv } from '../../dashboard/src/views/project-settings/parse-env.ts'

it.each([
  ['plain', 'A=1', { A: '1' }],
  ['several, with comments and empty lines', '# first\n\nA=1\nB=2\r\n', { A: '1', B: '2' }],
  ['export, and spaces around', 'export A = 1 ', { A: '1' }],
  ['an empty value', 'A=', { A: '' }],
  ['an equals sign in the value', 'URL=https://example.com/?a=b', { URL: 'https://example.com/?a=b' }],
  ['a comment behind a value', 'A=1 # one', { A: '1' }],
  ['quotes keep spaces and #', 'A=" b # c "', { A: ' b # c ' }],
  ['a comment behind quotes', "A='b' # c", { A: 'b' }],
  ['\\n in double quotes only', 'A="a\\nb"\nB=\'a\\nb\'', { A: 'a\nb', B: 'a\\nb' }],
  [
    'several lines in quotes',
    'KEY="-----BEGIN\nabc\n-----END"\nB=2',
    { KEY: '-----BEGIN\nabc\n-----END', B: '2' },
  ],
  ['the later of two', 'A=1\nA=2', { A: '2' }],
  ['what is no variable', 'hello\n1A=2\nA-B=3', {}],
])('%s', (_what, text, variables) => {
  expect(Object.fromEntries(parseEnv(text).map(({ key, value }) => [key, value]))).toEqual(variables)
})
