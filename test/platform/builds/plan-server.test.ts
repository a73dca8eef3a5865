/** Whether a deployment has a server after its build, by what the files say. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planServer } from '../../../src/platform/builds/plan-server.ts'
import { readServerFacts } from '../../../src/platform/builds/read-server-facts.ts'

let files: string
beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'svc-plan-'))
})
afterEach(() => rm(files, { recursive: true }))

type Left = Record<string, string | object>
type Settings = { start?: string; wasStatic?: boolean; root?: string; output?: string }

async function planOf(left: Left, { start, wasStatic = false, root = '.', output = 'dist' }: Settings = {}) {
  for (const [path, content] of Object.entries(left)) {
    await mkdir(dirname(join(files, path)), { recursive: true })
    await writeFile(join(files, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return planServer({ start, wasStatic, ...(await readServerFacts({ files, root, output })) })
}

const withScript = (start: string, more: object = {}) => ({ scripts: { start }, ...more })

describe('a server', () => {
  it.each<[string, Left, string]>([
    ['by the Procfile', { Procfile: 'web: node a.js' }, 'node a.js'],
    [
      'by the Procfile of a known framework, before its page',
      {
        Procfile: 'web: npm run serve',
        'package.json': { scripts: { serve: 'node a.js' }, dependencies: { vite: '7' } },
        'dist/index.html': '',
      },
      'node a.js',
    ],
    ['by the script', { 'package.json': withScript('node dist/a.js'), 'dist/a.js': '' }, 'node dist/a.js'],
    [
      'by the script beside a page of the sources',
      { 'package.json': withScript('node a.js'), 'index.html': '' },
      'node a.js',
    ],
    [
      'by the file of a library',
      { 'package.json': { main: 'dist/a.js', dependencies: { express: '5' } }, 'dist/a.js': '' },
      'node dist/a.js',
    ],
    ['by the file that npm starts', { 'package.json': {}, 'server.js': '' }, 'node server.js'],
  ])('%s', async (_what, left, command) => {
    expect(await planOf(left)).toMatchObject({ kind: 'server', command })
  })

  it('by a setting, whatever the files and the last deployment are', async () => {
    const left = { Procfile: 'web: node a.js', 'dist/index.html': '' }
    const plan = await planOf(left, { start: 'node b.js', wasStatic: true })
    expect(plan).toMatchObject({ kind: 'server', command: 'node b.js' })
  })

  it('in the root directory alone', async () => {
    const left = { Procfile: 'web: node above.js', 'api/package.json': withScript('node api.js') }
    expect(await planOf(left, { root: 'api' })).toMatchObject({ command: 'node api.js' })
  })
})

describe('a static site', () => {
  it.each<[string, Left]>([
    ['of Vite', { 'package.json': withScript('node a.js', { dependencies: { vite: '7' } }) }],
    [
      'of Create React App',
      { 'package.json': withScript('react-scripts start', { dependencies: { 'react-scripts': '5' } }) },
    ],
    [
      'of Eleventy',
      { 'package.json': withScript('eleventy --serve', { dependencies: { '@11ty/eleventy': '3' } }) },
    ],
    [
      'of Docusaurus',
      { 'package.json': withScript('docusaurus start', { dependencies: { '@docusaurus/core': '3' } }) },
    ],
    [
      'of Next.js, exported',
      {
        'package.json': withScript('next start', { dependencies: { next: '16' } }),
        'next.config.mjs': "export default { output: 'export' }",
      },
    ],
    [
      'of Astro without an adapter',
      { 'package.json': withScript('astro dev', { dependencies: { astro: '5' } }) },
    ],
    ['with a page of its own tools', { 'package.json': withScript('node a.js'), 'dist/en/index.html': '' }],
    [
      'with files, and a script for developers',
      { 'package.json': withScript('nodemon a.js'), 'dist/a.js': '' },
    ],
    [
      'of a framework whose Procfile is for developers',
      { Procfile: 'web: npm start', 'package.json': withScript('vite', { dependencies: { vite: '7' } }) },
    ],
    ['of nothing that is known', { 'dist/a.txt': '' }],
    ['whose package is no JSON', { 'package.json': '{', Procfile: 'web: node a.js' }],
  ])('%s', async (_what, left) => {
    expect(await planOf(left)).toMatchObject({ kind: 'static' })
  })

  it('goes on as one, and says so', async () => {
    const plan = await planOf({ Procfile: 'web: node a.js' }, { wasStatic: true })
    expect(plan).toMatchObject({ kind: 'static', remark: expect.stringMatching(/^Procfile .* set start/) })
  })

  it('where only a page outside of the build is', async () => {
    await symlink('/etc', join(files, 'dist'))
    expect(await planOf({ 'package.json': withScript('node a.js') })).toMatchObject({ kind: 'server' })
  })
})

describe('a build that made nothing', () => {
  it('says what starts a server', async () => {
    expect(await planOf({})).toMatchObject({ kind: 'static', advice: expect.stringContaining('set start') })
    const plan = await planOf({ Procfile: 'worker: node a.js' })
    expect(plan).toMatchObject({ kind: 'static', advice: expect.stringContaining('no line "web:"') })
  })

  it.each<[string, Left]>([
    ['the script', { 'package.json': withScript('nodemon a.js') }],
    ['the Procfile', { Procfile: 'web: nodemon a.js' }],
  ])('is an error where %s is for developers', async (_what, left) => {
    expect(await planOf(left)).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/nodemon a\.js, a server for developers, .*: set start to .*\.$/),
    })
  })
})
