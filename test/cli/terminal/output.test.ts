/** What is printed, without control characters. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configPath } from '../../../src/cli/connection/config-file.ts'
import { age, size } from '../../../src/cli/terminal/format.ts'
import { safeJson } from '../../../src/cli/terminal/output.ts'
import { plain } from '../../../src/cli/terminal/text.ts'

describe('text from a server', () => {
  it.each([
    ['plain', 'Grüße, 世界 👋', 'Grüße, 世界 👋'],
    ['colour', '\u001b[31mred\u001b[0m', 'red'],
    ['a title', '\u001b]0;pwned\u0007x', 'x'],
    ['a link', '\u001b]8;;http://a\u001b\\x\u001b]8;;\u001b\\', 'x'],
    ['C1 controls', 'a\u009b2Jb\u0085c', 'abc'],
    ['lines and tabs', 'a\r\nb\tc', 'a b c'],
    ['a lone escape', 'a\u001b', 'a'],
    ['reordering marks', 'a\u202egpj.exe\u2066\u200f\u200e\u061c', 'agpj.exe'],
    ['separators', 'a\u2028b\u2029c', 'abc'],
    ['half a character', 'a\ud83db\udc4b 👋', 'ab 👋'],
    ['a choice of characters', 'a\u001b(0b', 'ab'],
    ['a sequence without an end', 'a\u001b]0; is of the team b\u0007', 'a]0; is of the team b'],
  ])('%s: %j is printed as %j', (_what, text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  it('takes a time in proportion to its length, whatever it is', () => {
    for (const part of ['\u001b]', '\u001b[', '\u001b]0;', '\u001b[;', '\u009b;', ';#?', '\u001bP'])
      expect(plain(`\u001b[${part.repeat(200_000)}`)).not.toContain('\u001b')
  })

  it('is complete in JSON', () => {
    const text = '\u001b[2J\u0007\u007f\u009b\u202e\u2028\n'
    const json = safeJson({ text })
    expect(json).toBe('{\n  "text": "\\u001b[2J\\u0007\\u007f\\u009b\\u202e\\u2028\\n"\n}')
    expect(JSON.parse(json)).toEqual({ text })
  })
})

it.each([
  [-5, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [7_199_000, '1h'],
  [86_400_000 * 40, '40d'],
])('%i ms ago is %s', (ms, expected) => {
  expect(age(1e12 - ms, 1e12)).toBe(expected)
})

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [10 * 1024 * 1024, '10 MiB'],
  [3 * 1024 ** 4, '3.0 TiB'],
])('%i bytes are %s', (bytes, expected) => {
  expect(size(bytes)).toBe(expected)
})

describe('the file of credentials', () => {
  it.each<[NodeJS.ProcessEnv, NodeJS.Platform, string]>([
    [{}, 'linux', join(homedir(), '.config')],
    [{ XDG_CONFIG_HOME: '/a' }, 'darwin', '/a'],
    [{ XDG_CONFIG_HOME: 'a' }, 'linux', join(homedir(), '.config')],
    [{ XDG_CONFIG_HOME: '' }, 'linux', join(homedir(), '.config')],
    [{ APPDATA: '/b' }, 'win32', '/b'],
    [{ APPDATA: '/b' }, 'linux', join(homedir(), '.config')],
  ])('with %j on %s is in %s', (env, platform, directory) => {
    expect(configPath(env, platform)).toBe(join(directory, 'svc/credentials.json'))
  })
})
