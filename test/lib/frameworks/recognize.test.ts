/** What files are: a site, or the sources of one, and how those are built. */
import { expect, it } from 'vitest'
import { recognize } from '../../../src/lib/frameworks/recognize.ts'
import { type Files, foundOf } from './found-of.ts'

async function sourcesIn(files: Files, folder = '') {
  const contents = await recognize(foundOf(files, folder), folder)
  return contents.kind === 'sources' ? contents.sources : undefined
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
  ['Expo', 'expo', 'dist'],
  ['Hexo', 'hexo', 'public'],
  ['Storybook', 'storybook', 'storybook-static'],
])('%s by its package', async (framework, name, output) => {
  expect(await sourcesIn({ 'package.json': withPackage(name), 'index.html': '' })).toMatchObject({
    framework,
    output,
    advice: undefined,
  })
})

it.each<[string, Files, string, string]>([
  ['Hugo', { 'hugo.toml': '' }, 'hugo --minify', 'public'],
  ['Hugo', { 'config.toml': 'baseURL = "https://example.com"' }, 'hugo --minify', 'public'],
  ['Hugo', { 'hugo.toml': 'title = "x"\npublishDir = "docs"' }, 'hugo --minify', 'docs'],
  ['Zola', { 'config.toml': 'base_url = "https://example.com"' }, 'zola build', 'public'],
  ['Zola', { 'zola.toml': 'output_dir = "out"' }, 'zola build', 'out'],
  ['MkDocs', { 'mkdocs.yml': 'site_name: x' }, 'mkdocs build', 'site'],
  ['MkDocs', { 'mkdocs.yml': 'site_dir: public # here' }, 'mkdocs build', 'public'],
  ['mdBook', { 'book.toml': '' }, 'mdbook build', 'book'],
  ['Trunk', { 'Trunk.toml': '', 'index.html': '' }, 'trunk build --release', 'dist'],
  [
    'Trunk',
    { 'Trunk.toml': '[build]\ndist = "public"', 'Cargo.toml': '' },
    'trunk build --release',
    'public',
  ],
  ['Jekyll', { '_config.yml': '' }, 'bundle exec jekyll build', '_site'],
  ['Jekyll', { '_config.yml': "destination: './docs'" }, 'bundle exec jekyll build', 'docs'],
])('%s by its configuration', async (framework, files, build, output) => {
  expect(await sourcesIn(files)).toMatchObject({ framework, build, output, install: undefined })
})

it.each<[string, string, object]>([
  ['Astro', 'a framework built on Vite', { devDependencies: { vite: '7', astro: '5' } }],
  ['Hexo', 'with the configuration of Jekyll', { dependencies: { hexo: '7' } }],
  [
    'Vite',
    'an app whose documentation is made with VitePress',
    { devDependencies: { vite: '6', vitepress: '1' } },
  ],
  [
    'VitePress',
    'documentation beside a tool that is not for it',
    { scripts: { build: 'vitepress build docs' }, devDependencies: { vite: '6', vitepress: '1' } },
  ],
  [
    'Vite',
    'an app with Storybook for its components',
    {
      scripts: { build: 'run-p types "build-only {@}" --', 'build-only': 'vite build', types: 'tsc' },
      devDependencies: { storybook: '9', vite: '7' },
    },
  ],
  [
    'Vite',
    'a member of a workspace that has its tools at the root',
    { scripts: { build: 'tsc && vite build' } },
  ],
])('%s: %s', async (framework, _what, manifest) => {
  const files = { 'package.json': manifest, '_config.yml': 'title: x' }
  expect(await sourcesIn(files)).toMatchObject({ framework })
})

it.each<[string, object, Files, { build?: string; output: string }]>([
  [
    'the folder of documentation in its own script',
    { scripts: { 'docs:build': 'vitepress build docs' }, devDependencies: { vitepress: '1' } },
    {},
    { build: 'npm run docs:build', output: 'docs/.vitepress/dist' },
  ],
  [
    'the folder with a configuration',
    { scripts: { build: 'node make.js' }, devDependencies: { vitepress: '1' } },
    { 'guide/.vitepress/config.ts': "export default { outDir: '../public' }" },
    { build: 'npm run build', output: 'public' },
  ],
  [
    'a directory in the configuration of Vite',
    withPackage('vite'),
    {
      'vite.config.ts': `
        // outDir: 'old'
        export default defineConfig(({ mode }) => ({
          plugins: [dts({ build: { outDir: 'types' } })],
          build: { /* outDir: 'older' */ sourcemap: true, outDir: "public/app" },
        }))`,
    },
    { output: 'public/app' },
  ],
  [
    'a root in the configuration of Vite',
    withPackage('vite'),
    { 'vite.config.js': "export default { root: 'web', build: { outDir: '../out' } }" },
    { output: 'out' },
  ],
  [
    'a directory from the folder of the configuration',
    withPackage('vite'),
    { 'vite.config.js': "export default { root: 'web', build: { outDir: path.resolve(__dirname, 'out') } }" },
    { output: 'out' },
  ],
  [
    'what is computed',
    withPackage('vite'),
    { 'vite.config.js': 'export default { build: { outDir: `$' + '{base}/out` } }' },
    { output: 'dist' },
  ],
  [
    'what leads out of the sources',
    withPackage('vite'),
    { 'vite.config.js': "export default { build: { outDir: '../../etc' } }" },
    { output: 'dist' },
  ],
  [
    'a flag of the script',
    withPackage('vite', { scripts: { build: 'tsc -b && vite build --outDir=www --mode x' } }),
    {},
    { output: 'www' },
  ],
  [
    'React Router without a server',
    withPackage('@react-router/dev', { devDependencies: { vite: '7' } }),
    { 'react-router.config.ts': "export default { ssr: false, buildDirectory: 'out' } satisfies Config" },
    { output: 'out/client' },
  ],
  [
    'the directory of an export of Next.js',
    withPackage('next'),
    { 'next.config.ts': "const config: NextConfig = { output: 'export', distDir: 'site' }" },
    { output: 'site' },
  ],
  [
    "Hexo's configuration",
    withPackage('hexo'),
    { '_config.yml': 'title: x\npublic_dir: www\n' },
    { output: 'www' },
  ],
])('the output: %s', async (_what, manifest, files, expected) => {
  expect(await sourcesIn({ 'package.json': manifest, ...files })).toMatchObject(expected)
})

it.each([
  ['the application builder', '@angular/build:application', { outputPath: 'dist/shop' }, 'dist/shop/browser'],
  ['no directory', '@angular/build:application', {}, 'dist/shop/browser'],
  ['the builder before it', '@angular-devkit/build-angular:browser', { outputPath: 'www' }, 'www'],
  ['a base', '@angular/build:application', { outputPath: { base: 'out', browser: '' } }, 'out'],
])('the output of Angular by %s', async (_what, builder, options, output) => {
  const projects = {
    ui: { projectType: 'library' },
    shop: { projectType: 'application', architect: { build: { builder, options } } },
  }
  const files = { 'package.json': withPackage('@angular/core', { name: '@acme/front' }) }
  expect(await sourcesIn({ ...files, 'angular.json': { projects } })).toMatchObject({ output })
  expect(await sourcesIn(files)).toMatchObject({ output: 'dist/@acme/front/browser' })
})

it.each<[string, Files, Files]>([
  ['next', {}, { 'next.config.mjs': "export default { output: 'export' }" }],
  ['@sveltejs/kit', {}, { 'svelte.config.js': "import adapter from '@sveltejs/adapter-static'" }],
  ['@sveltejs/kit', {}, { 'vite.config.ts': "import adapter from '@sveltejs/adapter-static'" }],
  ['@react-router/dev', {}, { 'react-router.config.ts': 'export default { ssr: false }' }],
  ['astro', { 'astro.config.mjs': 'export default defineConfig({ adapter: node() })' }, {}],
])('%s builds a server or a static site, as it is configured', async (name, server, site) => {
  const manifest = { 'package.json': withPackage(name) }
  const ofServer = { isServer: true, start: undefined, output: undefined, advice: undefined }
  expect(await sourcesIn({ ...manifest, ...server })).toMatchObject(ofServer)
  expect(await sourcesIn({ ...manifest, ...site })).toMatchObject({
    isServer: false,
    output: expect.any(String),
  })
})

it('Nuxt builds a server unless its script generates a site', async () => {
  const of = (build: string) => ({ 'package.json': withPackage('nuxt', { scripts: { build } }) })
  expect(await sourcesIn(of('nuxt build'))).toMatchObject({ isServer: true, output: undefined })
  const site = { isServer: false, output: '.output/public' }
  expect(await sourcesIn(of('nuxt generate'))).toMatchObject(site)
})

it('SvelteKit without an adapter for a server says which one, for its version', async () => {
  const of = (kit: string, files: Files = {}) =>
    sourcesIn({
      'package.json': { devDependencies: { '@sveltejs/kit': kit, '@sveltejs/adapter-auto': '7' } },
      ...files,
    })
  const advice = (await of('^2.63.0'))?.advice
  expect(advice).toContain('`npm install -D @sveltejs/adapter-node@5`, and import that in svelte.config.js')
  const inVite = { 'vite.config.ts': "import adapter from '@sveltejs/adapter-auto'" }
  expect((await of('^3.0.0', inVite))?.advice).toContain('adapter-node`, and import that in vite.config.ts')
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

it.each<[string, Files, string]>([
  [
    'a script that builds',
    { 'package.json': { scripts: { build: 'rollup -c' } } },
    'package.json has the script "build"',
  ],
  ['a package', { 'package.json': {} }, 'package.json is there'],
  ['a package in another case', { 'Package.json': {} }, 'Package.json is there'],
  ['a program in Go', { 'main.go': '', 'go.mod': '' }, 'go.mod is there'],
  ['pages in PHP', { 'index.php': '' }, 'index.php is there'],
  ['content and a configuration', { 'config.toml': '', 'content/_index.md': '' }, 'config.toml is there'],
  ['a package in a folder', { 'app/package.json': {}, 'README.md': '' }, 'app/package.json is there'],
])('sources of no known framework: %s', async (_what, files, sign) => {
  expect(await sourcesIn(files)).toMatchObject({
    framework: undefined,
    sign: `${sign}, and there is no index.html`,
    output: undefined,
  })
  expect(await sourcesIn({ ...files, 'index.html': '' })).toBeUndefined()
})

it.each<[string, Files]>([
  ['nothing', {}],
  ['a finished site', { 'index.html': '' }],
  ['files without a first page', { 'report.pdf': '', 'data/a.json': '' }],
  ['a page with the package of its tools', { 'index.html': '', 'package.json': withPackage('prettier') }],
  ['a folder with a first page beside its package', { 'a/index.html': '', 'a/package.json': {} }],
])('a site: %s', async (_what, files) => {
  expect(await sourcesIn(files)).toBeUndefined()
})

it.each<[string, string, RegExp]>([
  ['is cut off', '{', /^package\.json is not JSON: .*correct or remove it/],
  ['is empty', '', /^package\.json is not JSON/],
  ['is no object', '[]', /^package\.json must be a JSON object/],
  ['is UTF-16', Buffer.from('{}', 'utf16le').toString(), /^package\.json is not JSON: the text is not UTF-8/],
  ['is too large', ' '.repeat(1024 * 1024 + 1), /^package\.json has more than 1048576 bytes/],
])('nobody knows with a package.json that %s', async (_what, text, problem) => {
  await expect(sourcesIn({ 'package.json': text, 'index.html': '' })).rejects.toThrow(problem)
})

it('a byte order mark hides nothing', async () => {
  const text = `\uFEFF${JSON.stringify(withPackage('vite'))}`
  expect(await sourcesIn({ 'package.json': text, 'index.html': '' })).toMatchObject({ framework: 'Vite' })
})

it.each([
  ['comments that do not end', '/*'.repeat(500_000)],
  ['quotes', "'".repeat(1_000_000)],
  ['braces', "{a:'x',".repeat(140_000)],
  ['blank lines', '\n'.repeat(1_000_000)],
])('a configuration of %s is soon given up', async (_what, text) => {
  for (const name of ['vite.config.ts', 'config.toml'])
    expect(await sourcesIn({ 'package.json': withPackage('vite'), [name]: text })).toMatchObject({
      output: 'dist',
    })
})

it('in a folder of a workspace, with its package manager', async () => {
  const files = {
    'package.json': { workspaces: ['apps/*'], packageManager: 'pnpm@10.27.0' },
    'apps/web/package.json': withPackage('vitepress', { scripts: { build: 'vitepress build docs' } }),
    'apps/web/docs/.vitepress/config.ts': "export default { outDir: './out' }",
  }
  expect(await sourcesIn(files, 'apps/web')).toMatchObject({
    framework: 'VitePress',
    install: 'pnpm install',
    build: 'pnpm run build',
    output: 'docs/out',
  })
})

it('a manifest in a folder that can not be read is named with its path', async () => {
  const files = { 'apps/web/package.json': '{' }
  await expect(sourcesIn(files, 'apps/web')).rejects.toThrow('apps/web/package.json is not JSON')
})
