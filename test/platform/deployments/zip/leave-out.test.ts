import { describe, expect, it } from 'vitest'
import { leaveOut } from '../../../../src/platform/deployments/zip/leave-out.ts'

const outcome = (...paths: string[]) => {
  const { files, leftOut } = leaveOut(paths.map((path) => ({ path })))
  return [files.map(({ path }) => path), leftOut]
}

describe('of the files of a zip', () => {
  it.each([
    ['.git/config', '.git'],
    ['app/.git/hooks/x', 'app/.git'],
    ['app/node_modules/a/index.js', 'app/node_modules'],
    ['.ENV', '.ENV'],
    ['a/.env.local', 'a/.env.local'],
    ['.env.', '.env.'],
    ['GIT~1/config', 'GIT~1'],
    ['.svc/encryption.key', '.svc'],
    ['.svcignore', '.svcignore'],
    ['svc.json', 'svc.json'],
    ['css/._a.css', 'css/._a.css'],
    ['__MACOSX/x', '__MACOSX'],
  ])('%j is left out', (path, named) => {
    expect(outcome('index.html', path)).toEqual([['index.html'], [named]])
  })

  it.each([
    '.well-known/security.txt',
    '.envrc',
    'env',
    'git/config',
    '.gitignore',
    'a/svc.json',
    '404.html',
  ])('%j is deployed', (path) => {
    expect(outcome(path)).toEqual([[path], []])
  })

  it.each([
    ['.env', '.env'],
    ['app/.git/config', 'app/.git/config'],
    ['data/encryption.key', 'data/encryption.key'],
    ['svc.json', 'svc.json'],
  ])('a link to %j is refused, also under a name that is deployed', (path, linkTo) => {
    const files = [{ path: 'index.html' }, { path }, { path: 'public.txt', linkTo }]
    expect(() => leaveOut(files)).toThrow(`zip: "public.txt" is a link to ${linkTo}, which is never deployed`)
    expect(leaveOut([{ path: 'a' }, { path }, { path: '.env.local', linkTo }]).files).toEqual([{ path: 'a' }])
  })

  it('each directory of them is named once, and that of a node’s data whatever its name is', () => {
    const paths = ['.git/a', '.git/b/c', 'data/encryption.key', 'data/blobs/x', 'data2/x', 'db/PG_VERSION']
    expect(outcome(...paths)).toEqual([['data2/x'], ['.git', 'data', 'db']])
  })

  it('a directory is looked at once, however many files it has', () => {
    const deep = 'node_modules/'.repeat(20)
    const files = Array.from({ length: 1_000 }, (_, at) => ({ path: `${deep}${at}.js` }))
    const looked: string[] = []
    const isIncluded = (path: string) => looked.push(path) > 0
    expect(leaveOut(files, { isIncluded }).files).toHaveLength(1_000)
    expect(looked).toHaveLength(20)
  })

  it('at most a hundred are named', () => {
    const [, leftOut] = outcome('index.html', ...Array.from({ length: 150 }, (_, at) => `${at}/.env`))
    expect(leftOut).toHaveLength(100)
  })

  it('something has to be left', () => {
    const message = 'zip: has nothing but what is never deployed: .env, .git'
    expect(() => outcome('.env', '.git/config')).toThrow(message)
    expect(() => outcome('index.html', 'encryption.key')).toThrow(
      'never deployed: index.html, encryption.key',
    )
  })
})
