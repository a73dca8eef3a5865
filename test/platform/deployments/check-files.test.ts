import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AppError, type Issue } from '../../../src/lib/errors.ts'
import { checkFiles } from '../../../src/platform/deployments/check-files.ts'
import type { FileInput } from '../../../src/platform/deployments/deployment-input.ts'
import { sha256 } from './steps.ts'

const caps = { maxFiles: 20_000, maxFileBytes: 1_000, maxDeploymentBytes: 2_000 }

async function issuesOf(files: FileInput[], with_ = caps): Promise<Issue[]> {
  try {
    await checkFiles(files, with_)
  } catch (error) {
    if (error instanceof AppError && error.reason === 'invalid_input') return error.issues ?? []
    throw error
  }
  return []
}

const places = async (files: FileInput[], with_ = caps) =>
  (await issuesOf(files, with_)).map(({ path }) => path)

const text = (path: string, content = 'x'): FileInput => ({ path, content })
const digest = (path: string, size: number, of = 'x'): FileInput => ({ path, sha256: sha256(of), size })

describe('the files of a deployment', () => {
  it('are planned with the digest and size of their content', async () => {
    const {
      files: [one, two, three],
      bytes,
    } = await checkFiles(
      [text('a', 'grüße'), { path: 'b', content_base64: 'AP8=' }, digest('c', 5, 'later')],
      caps,
    )
    expect(bytes).toBe(14)
    expect(one).toMatchObject({ index: 0, path: 'a', size: 7, sha256: sha256('grüße') })
    expect(two).toMatchObject({ index: 1, path: 'b', size: 2, sha256: sha256(Buffer.from([0, 255])) })
    expect(three).toEqual({ index: 2, path: 'c', size: 5, sha256: sha256('later'), bytes: undefined })
  })

  it('may be empty files', async () => {
    const { files: planned } = await checkFiles(
      [text('a', ''), { path: 'b', content_base64: '' }, digest('c', 0, '')],
      caps,
    )
    expect(planned.map(({ size }) => size)).toEqual([0, 0, 0])
  })

  it('may have size and sha256 beside the content, if they match', async () => {
    expect(await issuesOf([{ ...text('a', 'hello'), size: 5, sha256: sha256('hello') }])).toEqual([])
  })

  it.each<[string, FileInput, string]>([
    ['a wrong size', { ...text('a', 'hello'), size: 4 }, 'size'],
    ['a size in characters instead of bytes', { ...text('a', 'ü'), size: 1 }, 'size'],
    ['a wrong digest', { ...text('a', 'hello'), sha256: sha256('hullo') }, 'sha256'],
    ['content twice', { ...text('a', 'x'), content_base64: 'eA==' }, 'content'],
    ['no content at all', { path: 'a' }, 'content'],
    ['only a size', { path: 'a', size: 1 }, 'content'],
    ['a digest without a size', { path: 'a', sha256: sha256('x') }, 'size'],
    ['base64 without its padding', { path: 'a', content_base64: 'eA' }, 'content_base64'],
    ['base64url', { path: 'a', content_base64: '_-8=' }, 'content_base64'],
    ['base64 with a line break', { path: 'a', content_base64: 'eHh4\neHh4' }, 'content_base64'],
    ['text that is not base64', { path: 'a', content_base64: 'hello!' }, 'content_base64'],
    ['a bad path', text('../a'), 'path'],
  ])('are refused with the field’s place: %s', async (_, file, field) => {
    expect(await places([text('ok'), file])).toEqual([`files.1.${field}`])
  })

  it('are refused with every invalid file, up to 50', async () => {
    expect(await places([text('/a'), text('ok'), { path: 'b' }])).toEqual(['files.0.path', 'files.2.content'])
    expect(await issuesOf(Array.from({ length: 200 }, () => text('/a')))).toHaveLength(50)
  })

  it.each<[string, FileInput, string]>([
    ['NFD', text('u\u0308.html'), '"u\\u{308}.html" must be in Unicode normalization form C (NFC)'],
    ['a backslash', text('a\\b'), '"a\\\\b" must use / between its segments, not a backslash'],
    ['an encoded slash', text('a%2Fb'), '"a%2Fb" must not contain an encoded slash'],
    ['a duplicate', text('ok'), '"ok" is duplicated'],
    ['a directory', text('ok/b'), '"ok" is a file here and a directory of another file'],
    ['a size', text('a', 'x'.repeat(1_001)), '"a" must be at most 1000 bytes'],
    ['other content', { path: 'a', content: 'x', size: 2 }, '"a" has a size of 2, but content of 1 bytes'],
    ['no content', { path: 'a' }, '"a" must have content, content_base64, or sha256 and size'],
    ['no name', text(''), '"" must not be empty'],
    ['a long name', text('x'.repeat(2_000)), `"${'x'.repeat(100)}\u2026" must have at most 1024 bytes`],
  ])('are refused by name, for %s', async (_, file, message) => {
    const refused = checkFiles([text('ok'), file], caps)
    await expect(refused).rejects.toThrow(`${message}.`)
    expect((await issuesOf([text('ok'), file]))[0]?.message).toBe(message)
  })

  it('are refused when there are none', async () => {
    expect(await places([])).toEqual(['files'])
  })
})

describe('conflicting paths', () => {
  it.each<[string, string[], string[]]>([
    ['the same path twice', ['a', 'b', 'a'], ['files.2.path']],
    ['the same path three times', ['a', 'a', 'a'], ['files.1.path', 'files.2.path']],
    ['a file and a directory', ['a', 'a/b'], ['files.0.path']],
    ['a directory and a file', ['a/b', 'a'], ['files.1.path']],
    ['a directory far below', ['a/b', 'a/b/c/d/e'], ['files.0.path']],
    ['a file with many names between', ['a/b', 'a!', 'a-b', 'a.b', 'a', 'a b'], ['files.4.path']],
    ['a chain of conflicts', ['a', 'a/b', 'a/b/c'], ['files.0.path', 'files.1.path']],
  ])('are refused: %s', async (_, paths, expected) => {
    expect(await places(paths.map((path) => text(path)))).toEqual(expected)
  })

  it.each([
    [['a', 'ab', 'a-b', 'a.b']],
    [['a/b', 'a-/b', 'a.html', 'A', 'A-B/c']],
    [['a/b/c', 'a/bc', 'a/b-c']],
  ])('do not include %j', async (paths) => {
    expect(await issuesOf(paths.map((path) => text(path)))).toEqual([])
  })

  it('are found in thousands of deep paths without blocking others', async () => {
    const deep = Array.from({ length: 9_000 }, (_, i) => text(`${i}/${'a/'.repeat(500)}x`, ''))
    const startMs = performance.now()
    expect(await places([...deep, text('77', '')])).toEqual(['files.9000.path'])
    expect(performance.now() - startMs).toBeLessThan(5_000)
  })
})

describe('the caps', () => {
  it('count files', async () => {
    const with_ = { ...caps, maxFiles: 2 }
    expect(await places([text('a'), text('b')], with_)).toEqual([])
    expect(await places([text('a'), text('b'), text('c')], with_)).toEqual(['files'])
  })

  it('measure each file, inline or by digest', async () => {
    const over = Buffer.alloc(1_001)
    expect(await places([text('a', 'x'.repeat(1_000)), digest('b', 1_000, 'b')])).toEqual([])
    expect(await places([text('a', 'x'.repeat(1_001))])).toEqual(['files.0.content'])
    expect(await places([{ path: 'a', content_base64: over.toString('base64') }])).toEqual([
      'files.0.content_base64',
    ])
    expect(await places([digest('a', 1_001)])).toEqual(['files.0.size'])
  })

  it('measure the total, with a digest as often as it is used', async () => {
    expect(await places([digest('a', 1_000), digest('b', 1_000)])).toEqual([])
    expect(await places([digest('a', 1_000), digest('b', 1_000), digest('c', 1_000)])).toEqual(['files'])
    expect(await places([digest('a', 1_000), digest('b', 1_000), text('c', '')])).toEqual([])
  })

  it('are reported with their numbers', async () => {
    expect(
      (await issuesOf([text('a'), text('b'), text('c')], { ...caps, maxFiles: 2 }))[0]?.message,
    ).toContain('2')
  })
})

it('refuses one digest with two sizes', async () => {
  expect(await places([digest('a', 1), digest('b', 2)])).toEqual(['files.1.size'])
  expect(await places([text('a', 'x'), digest('b', 2, 'x')])).toEqual(['files.1.size'])
})

it('yields at each step when there are many files', async () => {
  // Each reading of the clock is a millisecond later, so that the number of turns doesn't depend on the
  // machine.
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 1
    return nowMs
  })
  onTestFinished(() => clock.mockRestore())
  let turns = 0
  let planning = true
  const turn = () => {
    turns += 1
    if (planning) setImmediate(turn)
  }
  setImmediate(turn)
  await checkFiles(
    Array.from({ length: 1_000 }, (_, i) => text(`${i}`, '')),
    caps,
  )
  planning = false
  // Three steps per file and the sorting, three per turn.
  expect(turns).toBeGreaterThan(1_100)
})
