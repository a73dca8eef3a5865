/** What the dashboard offers to paste into a shell is run by one. */
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { curlText, type SameCall, svcText, typescriptText } from '../../dashboard/src/ui/same-call.ts'

const callFor = (name: string): SameCall => ({
  method: 'PUT',
  path: ['v1', 'domains', name],
  query: { project: name },
  body: { name },
  svc: { words: ['domains', 'show'], options: { '--project': name }, values: [name] },
  client: { call: 'domains.get.query', input: { domain: name } },
})

/** The words that a shell makes of the text. */
function wordsOf(text: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; svc() { printf '%s\\0' "$@"; }; ${text}`
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: {} })
  return stdout.split('\0').slice(0, -1)
}

it.each([
  "x';echo evil;'",
  '$(echo evil)',
  '`echo evil`',
  'a b',
  '"!!"',
  '-x',
  '--help',
  '~',
  '#',
  '*',
  'a/../b',
  '\\',
])('the name %s stays a value', (name) => {
  const [, url] = /'(.*)'/.exec(curlText(callFor(name), 'http://api.test') ?? '') ?? []
  expect(url).toContain('http://api.test/v1/domains/')
  const curl = wordsOf(curlText(callFor(name), 'http://api.test') ?? '')
  expect(curl[2]).toBe(
    `http://api.test/v1/domains/${encodeURIComponent(name)}?${new URLSearchParams({ project: name })}`,
  )
  expect(JSON.parse(curl.at(-1) ?? '')).toEqual({ name })
  const svc = wordsOf(svcText(callFor(name)) ?? '')
  expect(svc.at(-1)).toBe(name)
  if (name.startsWith('-')) expect(svc.slice(2)).toEqual([`--project=${name}`, '--', name])
  const [, input] = /get\.query\((.*)\)$/s.exec(typescriptText(callFor(name), 'http://api.test') ?? '') ?? []
  expect(JSON.parse(input ?? '')).toEqual({ domain: name })
})

it.each(['a\nrm -rf x', 'a\rb', '\u0003', '\u202Eevil', '\u2066x', '\u001b[2J'])(
  'no command has what a terminal would act upon: %j',
  (name) => {
    expect(svcText(callFor(name))).toBeUndefined()
    const texts = [curlText, typescriptText].map((textOf) => textOf(callFor(name), 'http://api.test'))
    const shown = texts.join('')
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  },
)

it.each(['', '.', '..'])('a path with the segment "%s" would be another', (name) => {
  expect(curlText(callFor(name), 'http://api.test')).toBeUndefined()
})
