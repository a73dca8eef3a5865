/** Directories as systems and tools leave them. */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Case, newCase, respond, writeFiles } from './steps.ts'

async function deploySite({ home, svc }: Case, files: Record<string, string>) {
  await writeFiles(join(home, 'work', 'site'), files)
  return svc(['deploy', 'site', '--project', 'web'])
}

const nfd = (text: string) => text.normalize('NFD')

describe('names in NFD, as macOS writes them (https://github.com/gohugoio/hugo/issues/4853)', () => {
  it.each([
    ['bilder/über.png', '/bilder/%C3%BCber.png'],
    ['é/ñ/index.html', '/%C3%A9/%C3%B1/'],
    ['한국어.txt', `/${encodeURIComponent('한국어.txt')}`],
    ['Ångström.html', `/${encodeURIComponent('Ångström')}`],
  ])('%s', async (path, address) => {
    const { stdout, stderr, code } = await deploySite(await newCase(), { [nfd(path)]: path })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const decomposed = address
      .split('/')
      .map((segment) => encodeURIComponent(nfd(decodeURIComponent(segment))))
    for (const each of [address, decomposed.join('/')])
      expect(await respond(stdout.trim(), each)).toMatchObject({ status: 200, body: path })
  })

  it('two that become one are both named', async () => {
    const { code, stderr } = await deploySite(await newCase(), { 'a/ü.txt': 'one', [nfd('a/ü.txt')]: 'two' })
    expect(code).not.toBe(0)
    expect(stderr).toContain('a/ü.txt')
    expect(stderr).toMatch(/u\\u\{308\}/)
    expect(stderr).not.toMatch(/files\.\d/)
  })
})

describe('.svcignore tells case apart (https://github.com/kaelzhang/node-ignore/issues/151)', () => {
  it.each([
    ['build/\ndocs\n*.md', { 'Build/game.wasm': 200, 'Docs/': 200, 'README.MD': 200, 'notes.md': 404 }],
    ['*.PNG\n!keep.PNG', { 'a.png': 200, 'b.PNG': 404, 'keep.PNG': 200 }],
    ['/Tmp/\nTMP', { 'tmp/a.txt': 200, 'Tmp/a.txt': 404, TMP: 404 }],
  ])('%j', async (rules, expected) => {
    const paths = Object.keys(expected).map((path) => (path.endsWith('/') ? `${path}index.html` : path))
    const files = Object.fromEntries([...paths, 'index.html'].map((path) => [path, path]))
    const { code, stdout, stderr } = await deploySite(await newCase(), { ...files, '.svcignore': rules })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const found = await Promise.all(
      Object.keys(expected).map(async (path) => [path, (await respond(stdout.trim(), `/${path}`)).status]),
    )
    expect(Object.fromEntries(found)).toEqual(expected)
  })
})

describe('a refusal names the file (https://github.com/forcedotcom/cli/issues/67)', () => {
  it.each([
    ['back\\slash.txt', 'back\\\\slash.txt'],
    [`${'x'.repeat(250)}/${'y'.repeat(250)}/${'z'.repeat(250)}/${'w'.repeat(250)}/${'v'.repeat(60)}`, 'xxx'],
  ])('%s', async (path, named) => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`page-${index}.html`, 'x']))
    const { code, stderr } = await deploySite(await newCase(), { ...many, [path]: 'x' })
    expect(code).not.toBe(0)
    expect(stderr).toContain(named)
    expect(stderr).not.toMatch(/files\.\d/)
  })

  it('a link that leads nowhere', async () => {
    const team = await newCase()
    await writeFiles(join(team.home, 'work', 'site'), { 'index.html': 'x' })
    await symlink('nothing.css', join(team.home, 'work', 'site', 'broken.css'))
    const { code, stderr } = await team.svc(['deploy', 'site', '--project', 'web'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('broken.css')
  })
})
