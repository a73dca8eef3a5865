/** Which sources are recognized, and how they are built. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { recognize } from '../../../src/cli/frameworks/recognize.ts'

async function sourcesIn(files: Record<string, string | object>) {
  const directory = await mkdtemp(join(inject('directory'), 'sources-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return recognize(directory)
}

const withPackage = (name: string, more: object = {}) => ({ dependencies: { [name]: '1' }, ...more })

it.each([
  ['Vite', 'vite', 'dist'],
  ['Astro', 'astro', 'dist'],
  ['Nuxt', 'nuxt', '.output/public'],
  ['Gatsby', 'gatsby', 'public'],
  ['Docusaurus', '@docusaurus/core', 'build'],
  ['Eleventy', '@11ty/eleventy', '_site'],
  ['Create React App', 'react-scripts', 'build'],
  ['VitePress', 'vitepress', '.vitepress/dist'],
  ['Vue CLI', '@vue/cli-service', 'dist'],
])('%s by its package', async (framework, name, output) => {
  expect(await sourcesIn({ 'package.json': withPackage(name) })).toMatchObject({
    framework,
    output,
    advice: undefined,
  })
})

it.each([
  ['Hugo', { 'hugo.toml': '' }, 'hugo --minify', 'public'],
  ['Jekyll', { '_config.yml': '' }, 'bundle exec jekyll build', '_site'],
])('%s by its configuration', async (framework, files, build, output) => {
  expect(await sourcesIn(files)).toMatchObject({ framework, build, output, install: undefined })
})

it('a framework built on Vite is not recognized as Vite', async () => {
  const sources = await sourcesIn({ 'package.json': { devDependencies: { vite: '7', astro: '5' } } })
  expect(sources?.framework).toBe('Astro')
})

it('Angular builds into a directory named after the package', async () => {
  expect(await sourcesIn({ 'package.json': withPackage('@angular/core', { name: 'shop' }) })).toMatchObject({
    output: 'dist/shop/browser',
  })
})

it.each([
  ['next', 'next.config.mjs', "export default { output: 'export' }"],
  ['@sveltejs/kit', 'svelte.config.js', "import adapter from '@sveltejs/adapter-static'"],
])('%s only if it is configured to build a static site', async (name, file, content) => {
  const manifest = { 'package.json': withPackage(name) }
  expect(await sourcesIn(manifest)).toMatchObject({ advice: expect.any(String) })
  expect(await sourcesIn({ ...manifest, [file]: content })).toMatchObject({ advice: undefined })
})

it.each([
  ['package-lock.json', 'npm ci', 'npm run build'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile', 'pnpm run build'],
  ['yarn.lock', 'yarn install', 'yarn run build'],
  ['bun.lock', 'bun install --frozen-lockfile', 'bun run build'],
  ['other.lock', 'npm install', 'npm run build'],
])('with %s its package manager runs the build script', async (lock, install, build) => {
  const manifest = withPackage('vite', { scripts: { build: 'vite build' } })
  expect(await sourcesIn({ 'package.json': manifest, [lock]: '' })).toMatchObject({ install, build })
})

it.each([
  ['an empty directory', {}],
  ['a finished site', { 'index.html': '' }],
  ['a package without a framework', { 'package.json': withPackage('lodash') }],
  ['an invalid package.json', { 'package.json': '{' }],
])('nothing in %s', async (_what, files) => {
  expect(await sourcesIn(files)).toBeUndefined()
})
