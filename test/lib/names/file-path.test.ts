import { describe, expect, it } from 'vitest'
import { pathProblem } from '../../../src/lib/names/file-path.ts'

describe('a file’s path', () => {
  it.each([
    'index.html',
    'assets/app-3f2a.js',
    '.well-known/acme',
    '...',
    '..a/b..',
    'a b/c d.txt',
    'Ünïcödé/日本語/🔑.html',
    '100%.html',
    '%41.html',
    'a:b?c#d&e=f',
    'CON',
    'x'.repeat(255),
    `${'a/'.repeat(511)}ab`,
    `a${'\u0489'.repeat(30)}`,
  ])('may be %s', (path) => {
    expect(pathProblem(path)).toBeUndefined()
  })

  it.each([
    ['empty', '', 'empty'],
    ['absolute', '/index.html', 'relative'],
    ['with two leading slashes', '//evil/x', 'relative'],
    ['above its root', '../etc/passwd', '..'],
    ['above its root later', 'a/../../etc/passwd', '..'],
    ['with .. at its end', 'a/..', '..'],
    ['only ..', '..', '..'],
    ['with a . segment', './index.html', '.'],
    ['with a . segment inside', 'a/./b', '.'],
    ['with an empty segment', 'a//b', 'empty segment'],
    ['with a trailing slash', 'a/', 'empty segment'],
    ['with a backslash', 'a\\b', 'backslash'],
    ['with .. and backslashes', '..\\..\\etc\\passwd', 'backslash'],
    ['with an encoded slash', '..%2f..%2fetc', 'encoded slash'],
    ['with an encoded slash in capitals', 'a%2Fb', 'encoded slash'],
    ['with an encoded backslash', 'a%5Cb', 'encoded slash'],
    ['with 31 marks on a character', `a${'\u0489'.repeat(31)}`, '30 marks'],
    ['of more bytes than any', 'a/'.repeat(513), 'at most 1024 bytes'],
    ['with a NUL', 'index.html\0.png', 'control characters'],
    ['with a line break', 'a\nb', 'control characters'],
    ['with DEL', 'a\u007f', 'control characters'],
    ['with a C1 control character', 'a\u0085b', 'control characters'],
    ['in NFD', 'u\u0308.html', 'NFC'],
    ['with half a surrogate pair', 'a\ud800', 'well-formed'],
    ['with a segment of 256 bytes', 'x'.repeat(256), '255 bytes'],
    ['with a segment of 256 bytes in 128 characters', 'ü'.repeat(128), '255 bytes'],
    ['of 1,025 bytes', `${'a/'.repeat(512)}b`, '1024 bytes'],
    ['of 1,026 bytes in fewer characters', `${'ü/'.repeat(342)}`.slice(0, -1).padEnd(685, 'ü'), '1024 bytes'],
  ])('must not be %s', (_, path, problem) => {
    expect(pathProblem(path)).toContain(problem)
  })
})
