/** What git says, as a pusher sees it. */
import { expect, it } from 'vitest'
import { createWords, withoutPlaces } from '../../../src/platform/git/words.ts'

const directory = '/var/lib/my svc/git/team_1/prj_2.git'

it.each([
  [
    `Unable to create '${directory}/./refs/heads/x.lock': File name too long`,
    'Unable to create (the repository): File name too long',
  ],
  [`error: ${directory}/objects/pack: No space left`, 'error: (the repository)/objects/pack: No space left'],
  ['fatal: unable to open /etc/svc/config: denied', 'fatal: unable to open (the repository): denied'],
  ["could not open './objects/incoming-1/x' for reading", 'could not open (the repository) for reading'],
  ['unable to write objects/pack/tmp_pack_x: full', 'unable to write (the repository): full'],
  [
    "cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists",
    "cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists",
  ],
  ['error: object 12ab: hasDotgit: contains .git', 'error: object 12ab: hasDotgit: contains .git'],
  ['Resolving deltas: 100% (3/3), done.', 'Resolving deltas: 100% (3/3), done.'],
  ['red \u001b[31m and \u202e reversed', 'red  and \ufffd reversed'],
])('%j becomes %j', (said, passed) => {
  expect(withoutPlaces(said, directory)).toBe(passed)
})

function passedOf(...parts: Buffer[]): string {
  const passed: string[] = []
  const words = createWords(directory, (text) => passed.push(text))
  for (const part of parts) words.add(part)
  words.end()
  return passed.join('')
}

it('lines are put together from their parts, with the ends that they have', () => {
  const bytes = Buffer.from(`one\rtwo é\nat ${directory}/x`)
  const parts = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
  expect(passedOf(...parts)).toBe('one\rtwo é\nat (the repository)/x\n')
})

it('a line is cut after a thousand bytes, and all of it after 64 KiB', () => {
  expect(passedOf(Buffer.alloc(5_000, 'x'), Buffer.from('\nnext\n'))).toBe(`${'x'.repeat(1_000)}\nnext\n`)
  const many = passedOf(Buffer.from('a line of thirty characters...\n'.repeat(10_000)))
  expect(many.length).toBeLessThan(66_000)
  expect(many.endsWith('…\n')).toBe(true)
})
