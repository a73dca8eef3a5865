/** The text of a `.env` file: read as dotenv reads it, or refused with the line. */
import { describe, expect, it } from 'vitest'
import { EnvFileError, parseEnvFile } from '../../src/lib/env-file.ts'

const read = (text: string) => Object.fromEntries(parseEnvFile(text).map(({ key, value }) => [key, value]))

function problemOf(text: string): string {
  try {
    return JSON.stringify(read(text))
  } catch (error) {
    if (error instanceof EnvFileError) return error.message
    throw error
  }
}

const pem =
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\nu4QuUoobAgMBAAE=\n-----END PUBLIC KEY-----'

/** The values are those of dotenv 17 (`dotenv.parse`). */
describe('the variables of', () => {
  it.each<[string, string, Record<string, string>]>([
    ['a line', 'A=1', { A: '1' }],
    ['no line', '', {}],
    ['comments and empty lines', '# first\n\n   \nA=1\n  # B=2\nC=3\r\n', { A: '1', C: '3' }],
    ['lines that end as on any system', 'A=1\r\nB=2\rC=3\nD=4', { A: '1', B: '2', C: '3', D: '4' }],
    ['a file that begins with a byte order mark', '\uFEFFA=1\nB=2', { A: '1', B: '2' }],
    [
      'export, once or with more blanks',
      'export A=1\nexport \t B=2\n  export C=3',
      { A: '1', B: '2', C: '3' },
    ],
    ['a key after blanks, and blanks around', '    A = 1 \n\tB\t=\t2', { A: '1', B: '2' }],
    ['a colon', 'A: 1\nB: "2"', { A: '1', B: '2' }],
    [
      'empty values',
      'A=\nB=\'\'\nC=""\nD=``\nE=  \nF= # nothing',
      { A: '', B: '', C: '', D: '', E: '', F: '' },
    ],
    [
      'equals signs in a value',
      'A=a==\nURL=https://example.com/?a=b',
      { A: 'a==', URL: 'https://example.com/?a=b' },
    ],
    ['a comment behind a value, with or without a blank', 'A=1 # one\nB=p@ss#word', { A: '1', B: 'p@ss' }],
    ['a comment behind quotes', `A='b # c' # d "e"\nB="1"#`, { A: 'b # c', B: '1' }],
    ['a comment with quotes', 'KEY="VALUE1" # or "VALUE2"\nB=1', { KEY: 'VALUE1', B: '1' }],
    ['quotes with blanks inside, and before', 'A="  b  "\nB=   " c "', { A: '  b  ', B: ' c ' }],
    [
      'other quotes in quotes',
      'A=\'say "hi"\'\nB="it\'s"\nC=`"it\'s"`',
      { A: 'say "hi"', B: "it's", C: '"it\'s"' },
    ],
    [
      'the same quotes in quotes',
      'A="say "hi" now"\nB=\'it\'s\'\nC=1',
      { A: 'say "hi" now', B: "it's", C: '1' },
    ],
    [
      'quotes that don’t begin the value',
      'A=abc"def"\nB={"a": "b"}\nC=it\'s',
      { A: 'abc"def"', B: '{"a": "b"}', C: "it's" },
    ],
    [
      'several in quotes',
      'FONT="Open Sans", "Arial", serif\nB=1',
      { FONT: '"Open Sans", "Arial", serif', B: '1' },
    ],
    ['escaped quotes', 'A="{\\"type\\": \\"service\\"}"\nB=2', { A: '{\\"type\\": \\"service\\"}', B: '2' }],
    [
      'line breaks in double quotes only',
      'A="a\\nb\\rc"\nB=\'a\\nb\'\nC=a\\nb\nD=`a\\nb`',
      { A: 'a\nb\rc', B: 'a\\nb', C: 'a\\nb', D: 'a\\nb' },
    ],
    [
      'several lines in any quotes',
      `A="1\n2"\nB='1\n\n# 2'\nC=\`1\n"2'\`\nD=3`,
      { A: '1\n2', B: '1\n\n# 2', C: '1\n"2\'', D: '3' },
    ],
    ['several lines with a comment behind', 'A="1\n2" # three\nB=4', { A: '1\n2', B: '4' }],
    ['a key in PEM', `A="${pem}"\nB='${pem}'\nC=1`, { A: pem, B: pem, C: '1' }],
    ['assignments in quotes', 'A="x=1\nexport B=2"\nC=3', { A: 'x=1\nexport B=2', C: '3' }],
    ['keys with dots and dashes', 'a.b=1\nA-B=2\n1A=3', { 'a.b': '1', 'A-B': '2', '1A': '3' }],
    ['the last of two', 'A=1\nA=2', { A: '2' }],
    ['a key of every object', '__proto__=1\nconstructor=2', { ['__proto__']: '1', constructor: '2' }],
  ])('%s', (_what, text, variables) => {
    expect(read(text)).toEqual(variables)
  })

  it('a file know their lines', () => {
    expect(parseEnvFile('\n# a\nA="1\n2"\nB=3').map(({ key, line }) => [key, line])).toEqual([
      ['A', 3],
      ['B', 5],
    ])
  })
})

const unclosed = (line: number, quote: string) =>
  `line ${line}: the value begins with ${quote}, and does not end with it.`
const unknown = (line: number) =>
  `line ${line}: expected KEY=value or a comment. Put a value of several lines in quotes.`

describe('text that can’t be meant is refused with its line', () => {
  it.each([
    ['a name alone', 'A\nB=1', unknown(1)],
    ['a name after export', 'A=1\nexport B', unknown(2)],
    ['a sentence', '# a\nA=1\n\nhello there', unknown(4)],
    ['a command', 'source .env.local', unknown(1)],
    ['no name', '=1', unknown(1)],
    ['JSON without quotes', 'K={\n  "a": 1\n}\nNEXT=1', unknown(2)],
    ['a list', 'A: 1\n- b', unknown(2)],
    ['a quote at the end', 'A=1\nB="', unclosed(2, '"')],
    ['a quote that stays open', 'A=1\nB="unclosed\nC=2', unclosed(2, '"')],
    ['a quote that the next value closes', 'A="unclosed\nB="2"', unclosed(1, '"')],
    ['a quote that the next one opens', 'A="unclosed\nB="2\n3"', unclosed(1, '"')],
    ['a quote that the next one opens, alone', "A='unclosed\nexport B = '\n3'", unclosed(1, "'")],
    ['JSON of several lines in the quotes that it uses', 'A="{\n  "a": 1\n}"\nB=1', unclosed(1, '"')],
    ['one quote of three', `A='it's'n\nB=1`, unclosed(1, "'")],
    ['an escaped quote as the last', 'A="a\\"\nB=1', unclosed(1, '"')],
    ['a backtick', 'A=`a\nB=1', unclosed(1, '`')],
    ['a quote cut off by a comment', 'A="a # b\nB=1', unclosed(1, '"')],
  ])('%s', (_what, text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })
})

it.each(['A="\\"', 'A="\n', ' ', '"', 'export ', 'A=#'])(
  'a megabyte of %j takes no time of its own',
  (part) => {
    const text = part.repeat(1_000_000 / part.length)
    expect(problemOf(text)).toMatch(/^(\{|line 1: )/)
  },
)
