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
type Settings = { start?: string; wasStatic?: boolean; root?: string; output?: string; sources?: string[] }

async function planOf(left: Left, settings: Settings = {}) {
  const { start, wasStatic = false, root = '.', output = 'dist', sources = [] } = settings
  for (const [path, content] of Object.entries(left)) {
    await mkdir(dirname(join(files, path)), { recursive: true })
    await writeFile(join(files, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return planServer({
    start,
    wasStatic,
    ...(await readServerFacts({ files, root, output }, new Set(sources))),
  })
}

/** What the adapter for Node makes, in a directory. */
const kitIn = (folder: string): Left =>
  Object.fromEntries(['index.js', 'handler.js', 'server/index.js'].map((name) => [`${folder}/${name}`, '']))
const kitServer = kitIn('build')

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

const next = (config: object, relativeAppDir = '') => ({
  config: { output: 'standalone', basePath: '', ...config },
  relativeAppDir,
})

const kit = (more: object = {}) => ({ devDependencies: { '@sveltejs/kit': '2' }, ...more })

const router = (more: object = {}) => ({
  dependencies: { '@react-router/serve': '7' },
  devDependencies: { '@react-router/dev': '7' },
  ...more,
})

describe('the server of a framework', () => {
  it.each<[string, Left, object]>([
    [
      'Nuxt, with all that it needs',
      {
        'package.json': { dependencies: { nuxt: '4' } },
        '.output/nitro.json': { preset: 'node-server' },
        '.output/server/index.mjs': '',
      },
      {
        command: 'node .output/server/index.mjs',
        output: { kept: ['.output'], assets: [{ from: '.output/public/_nuxt', at: '_nuxt' }] },
      },
    ],
    [
      'Nitro',
      { 'package.json': { devDependencies: { nitropack: '2' } }, '.output/server/index.mjs': '' },
      { command: 'node .output/server/index.mjs' },
    ],
    [
      'SvelteKit without packages of its own',
      { 'package.json': kit(), ...kitServer },
      {
        command: 'node build',
        output: {
          kept: ['build', 'package.json'],
          assets: [{ from: 'build/client/_app/immutable', at: '_app/immutable' }],
          env: { PROTOCOL_HEADER: 'x-forwarded-proto', HOST_HEADER: 'x-forwarded-host' },
        },
      },
    ],
    [
      'SvelteKit with packages',
      { 'package.json': kit({ dependencies: { pg: '8' } }), ...kitServer },
      { command: 'node build', output: { kept: undefined } },
    ],
    [
      'Astro with its adapter',
      {
        'package.json': { dependencies: { astro: '5' } },
        'dist/server/entry.mjs': '',
        'dist/client/a.html': '',
      },
      {
        command: 'node dist/server/entry.mjs',
        output: {
          kept: undefined,
          assets: [{ from: 'dist/client/_astro', at: '_astro' }],
          completion: expect.stringContaining('"allowedDomains":[{}]'),
        },
      },
    ],
    [
      'React Router',
      { 'package.json': router(), 'build/server/index.js': '', 'build/client/assets/a.js': '' },
      { command: 'react-router-serve build/server/index.js', output: { assets: [{ at: 'assets' }] } },
    ],
    [
      'Next.js, completed with its files for visitors, below its path',
      {
        'package.json': withScript('next start', { dependencies: { next: '16' } }),
        '.next/required-server-files.json': next({ basePath: '/docs' }),
        '.next/standalone/server.js': '',
        'public/a.png': '',
      },
      {
        command: 'node .next/standalone/server.js',
        output: {
          kept: ['.next/standalone'],
          assets: [{ from: '.next/static', at: 'docs/_next/static' }],
          caches: ['.next/standalone/.next/cache'],
          completion: expect.stringMatching(/^cp -R public .next\/standalone\/ && cp -R .next\/static /),
        },
      },
    ],
    [
      'Next.js in a workspace',
      {
        'package.json': { dependencies: { next: '16' } },
        '.next/required-server-files.json': next({}, 'apps/web'),
        '.next/standalone/apps/web/server.js': '',
      },
      { command: 'node .next/standalone/apps/web/server.js' },
    ],
  ])('%s', async (_what, left, plan) => {
    expect(await planOf(left)).toMatchObject({ kind: 'server', ...plan })
  })

  it.each<[string, Left, object]>([
    [
      'Next.js',
      {
        'package.json': { dependencies: { next: '16' } },
        'made/required-server-files.json': next({}),
        'made/standalone/server.js': '',
      },
      {
        command: 'node made/standalone/server.js',
        output: {
          kept: ['made/standalone'],
          assets: [{ from: 'made/static', at: '_next/static' }],
          caches: ['made/standalone/made/cache'],
        },
      },
    ],
    ['SvelteKit', { 'package.json': kit(), ...kitIn('made') }, { command: 'node made' }],
    [
      'Astro',
      { 'package.json': { dependencies: { astro: '5' } }, 'made/server/entry.mjs': '' },
      { command: 'node made/server/entry.mjs' },
    ],
    [
      'React Router',
      { 'package.json': router(), 'made/server/index.js': '', 'made/client/assets/a.js': '' },
      {
        command: 'react-router-serve made/server/index.js',
        output: { assets: [{ from: 'made/client/assets' }] },
      },
    ],
    [
      'Nuxt',
      { 'package.json': { dependencies: { nuxt: '3' } }, 'made/server/index.mjs': '', 'made/nitro.json': {} },
      { command: 'node made/server/index.mjs', output: { kept: ['made'] } },
    ],
  ])('%s in a directory that its configuration names', async (_what, left, plan) => {
    expect(await planOf(left)).toMatchObject({ kind: 'server', ...plan })
  })

  it('has all files, and its variables, where another command starts it', async () => {
    const left = { 'package.json': kit(), ...kitServer }
    const own = await planOf(left, { start: 'node build', wasStatic: true })
    expect(own).toMatchObject({ kind: 'server', output: { kept: ['build', 'package.json'] } })
    const other = await planOf(left, { start: 'node custom.js' })
    expect(other).toMatchObject({ command: 'node custom.js', output: { kept: undefined } })
    expect(other).toMatchObject({ output: { env: { HOST_HEADER: 'x-forwarded-host' } } })
  })

  it('says which command it would be where the last deployment was a static site', async () => {
    const left = { 'package.json': kit(), ...kitServer }
    const remark = expect.stringContaining('set start, such as to `node build`')
    expect(await planOf(left, { wasStatic: true })).toMatchObject({ kind: 'static', remark, advice: remark })
  })

  it.each<[string, Left, RegExp]>([
    [
      'SvelteKit lacks its adapter',
      { 'package.json': { devDependencies: { '@sveltejs/kit': '2', '@sveltejs/adapter-auto': '7' } } },
      /`npm install -D @sveltejs\/adapter-node@5`/,
    ],
    [
      'React Router lacks its server',
      { 'package.json': router({ dependencies: {} }), 'build/server/index.js': '', 'build/client/a.js': '' },
      /`npm install @react-router\/serve`/,
    ],
  ])('%s: an error with the line', async (_what, left, message) => {
    expect(await planOf(left)).toMatchObject({ kind: 'error', message: expect.stringMatching(message) })
  })
})

describe('a static site', () => {
  it.each<[string, Left]>([
    [
      'React Router',
      {
        'package.json': router(),
        'own/server/index.js': '',
        'own/client/a.js': '',
        'build/client/index.html': '',
      },
    ],
    [
      'Nuxt',
      {
        'package.json': { dependencies: { nuxt: '3' } },
        'own/server/index.mjs': '',
        '.output/public/index.html': '',
      },
    ],
    ['SvelteKit', { 'package.json': kit(), ...kitIn('own'), 'build/index.html': '' }],
  ])('of %s stays one, whatever its sources look like', async (_what, left) => {
    const output = Object.keys(left).find((path) => path.endsWith('/index.html')) ?? ''
    const settings = { output: dirname(output), sources: ['package.json', 'own'] }
    expect(await planOf(left, settings)).toMatchObject({ kind: 'static' })
  })

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
      'of Next.js, exported, whatever is left of an earlier build',
      {
        'package.json': { dependencies: { next: '16' } },
        '.next/required-server-files.json': next({ output: 'export' }),
        '.next/standalone/server.js': '',
      },
    ],
    [
      'that Nuxt has generated',
      {
        'package.json': { dependencies: { nuxt: '4' } },
        '.output/nitro.json': { preset: 'static' },
        '.output/server/index.mjs': '',
      },
    ],
    ['of SvelteKit with adapter-static', { 'package.json': kit(), 'build/index.html': '' }],
    ['of React Router without a server', { 'package.json': router(), 'build/client/index.html': '' }],
    ['beside files of Nitro that nobody uses', { 'package.json': {}, '.output/server/index.mjs': '' }],
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
