/** What takes time with the square of a stranger's text has one place, which bounds the text. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const places = [
  {
    what: 'Unicode normalization',
    call: /\.normalize\(\s*['"]NF/,
    example: "name.normalize('NFC')",
    files: ['lib/names/nfc.ts', 'platform/people/team-slug.ts'],
  },
  {
    what: 'a URL of a text that may be none',
    call: /URL\.canParse\(/,
    example: 'URL.canParse(text)',
    files: [
      'api/server/auth/next-path.ts',
      'api/server/http/refuse-ambiguous.ts',
      'cli/connection/ask.ts',
      'lib/names/parse-url.ts',
    ],
  },
  {
    what: 'a host name in ASCII',
    call: /domainTo(?:ASCII|Unicode)\(/,
    example: 'domainToASCII(text)',
    files: ['lib/names/domain-name.ts', 'platform/dns/record-names.ts'],
  },
]

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

it.each(places)('$what is made in files that bound the text', ({ call, example, files: known }) => {
  expect(call.test(example)).toBe(true)
  expect(files.length).toBeGreaterThan(1_000)
  expect(files.filter((name) => call.test(readFileSync(`src/${name}`, 'utf8'))).toSorted()).toEqual(known)
})
