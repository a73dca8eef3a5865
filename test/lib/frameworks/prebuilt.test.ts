/** Servers that were built elsewhere, and the packages that are sent with them. */
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../src/lib/async/in-turns.ts'
import { foundIn } from '../../../src/lib/frameworks/found.ts'
import { directoryOfPackages, pathAmongPackages } from '../../../src/lib/frameworks/prebuilt.ts'
import { recognize } from '../../../src/lib/frameworks/recognize.ts'

type Files = Record<string, object | string>

function recognized(files: Files) {
  const all = Object.entries(files).map(([path, content]) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    return { path, size: text.length, text }
  })
  return recognize(atOnce(foundIn(all, async ({ text }) => text)))
}

const next: Files = {
  'package.json': { dependencies: { next: '16' }, scripts: { build: 'next build' } },
  '.next/required-server-files.json': { config: { output: 'standalone' }, relativeAppDir: '' },
  '.next/standalone/server.js': '',
}

const kit: Files = {
  'package.json': { devDependencies: { '@sveltejs/kit': '2', '@sveltejs/adapter-node': '5' } },
  'build/index.js': '',
  'build/handler.js': '',
  'build/server/index.js': '',
}

const astro: Files = {
  'package.json': { dependencies: { astro: '5' }, scripts: { build: 'astro build' } },
  'astro.config.mjs': '',
  'dist/server/entry.mjs': '',
}

const nuxt: Files = {
  '.output/nitro.json': { preset: 'node-server', framework: { name: 'nuxt' } },
  '.output/server/index.mjs': '',
}

describe('an output without its sources runs as a server, without a build', () => {
  it.each<[string, Files, { start: string; install?: string }]>([
    ['Next.js', next, { start: 'node .next/standalone/server.js' }],
    ['Nuxt', nuxt, { start: 'node .output/server/index.mjs' }],
    ['SvelteKit', kit, { start: 'node build' }],
    ['Astro', astro, { start: 'node dist/server/entry.mjs', install: 'npm install' }],
  ])('%s', async (framework, files, expected) => {
    const sources = { framework, isServer: true, build: undefined, install: undefined, ...expected }
    expect(await recognized(files)).toMatchObject({ kind: 'sources', sources })
  })
})

it('sources are built, whatever output is beside them', async () => {
  const sources = { build: 'npm run build', start: undefined }
  expect(await recognized({ ...next, 'app/page.tsx': '' })).toMatchObject({ sources })
  expect(await recognized({ ...astro, 'src/pages/index.astro': '' })).toMatchObject({ sources })
  const scripts = { build: 'nuxt build' }
  const own = { 'package.json': { dependencies: { nuxt: '4', docus: '5' }, scripts } }
  for (const name of ['nuxt.config.ts', 'nitro.config.mjs', 'api/hello.ts'])
    expect(await recognized({ ...nuxt, ...own, [name]: '' })).toMatchObject({ sources })
})

it('an output of files alone is none', async () => {
  const files = { ...nuxt, '.output/nitro.json': { preset: 'static' } }
  expect(await recognized(files)).not.toMatchObject({ sources: { isServer: true } })
})

describe('packages', () => {
  it.each([
    ['node .next/standalone/apps/web/server.js', '.next/standalone'],
    ['node .output/server/index.mjs', '.output/server'],
    ['node build', undefined],
    ['node index.js', undefined],
    [null, undefined],
  ])('of the server that starts with %s are in %s', (start, directory) => {
    expect(directoryOfPackages(start)).toBe(directory)
  })

  it.each([
    ['.output/server/node_modules/vue/index.js', 'vue/index.js'],
    ['.next/standalone/apps/web/node_modules/.env', '.env'],
    ['node_modules/vue/index.js', 'node_modules/vue/index.js'],
  ])('%s is %s among them', (path, rest) => {
    expect(pathAmongPackages(path)).toBe(rest)
  })
})
