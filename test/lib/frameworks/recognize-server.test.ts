/** Which sources are those of a server, and by which command that starts. */
import { expect, it } from 'vitest'
import { describeServer, describeSources } from '../../../src/lib/frameworks/describe.ts'
import { recognize } from '../../../src/lib/frameworks/recognize.ts'
import { type Files, foundOf } from './found-of.ts'

async function contentsOf(files: Files, folder = '') {
  return recognize(foundOf(files, folder), folder)
}

async function sourcesIn(files: Files, folder = '') {
  const contents = await contentsOf(files, folder)
  return contents.kind === 'sources' ? contents.sources : undefined
}

/** As `npm init -y` writes it, after the library was installed. */
const initialized = (library: string, more: object = {}) => ({
  name: 'api',
  version: '1.0.0',
  main: 'index.js',
  scripts: { test: 'echo "Error: no test specified" && exit 1' },
  license: 'ISC',
  dependencies: { [library]: '^5.0.0' },
  ...more,
})

const started = (start: string, more: object = {}) => ({ name: 'api', scripts: { start }, ...more })

it.each<[string, Files, { framework?: string | undefined; start: string; build?: string | undefined }]>([
  [
    'Express after npm init',
    { 'package.json': initialized('express'), 'index.js': '' },
    { framework: 'Express', start: 'node index.js', build: undefined },
  ],
  [
    'Express with a page beside it, as the guide of Socket.IO has it',
    { 'package.json': initialized('express'), 'index.js': '', 'index.html': '' },
    { framework: 'Express', start: 'node index.js' },
  ],
  [
    'an entry that is not the main of npm init',
    { 'package.json': initialized('fastify'), 'server.mjs': '' },
    { framework: 'Fastify', start: 'node server.mjs' },
  ],
  [
    'a main without its ending',
    { 'package.json': initialized('koa', { main: './lib/start' }), 'lib/start.js': '', 'index.js': '' },
    { framework: 'Koa', start: 'node lib/start.js' },
  ],
  [
    'a main that leads out',
    { 'package.json': initialized('koa', { main: '../x.js' }), 'app.js': '' },
    { framework: 'Koa', start: 'node app.js' },
  ],
  [
    'an entry below src',
    { 'package.json': initialized('polka'), 'src/app.js': '' },
    { framework: 'Polka', start: 'node src/app.js' },
  ],
  [
    'a main that the build makes',
    {
      'package.json': initialized('fastify', { main: 'dist/app.js', scripts: { build: 'tsc' } }),
      'src/app.ts': '',
    },
    { framework: 'Fastify', start: 'node dist/app.js', build: 'npm run build' },
  ],
  [
    'what create-hono writes for Node',
    {
      'package.json': {
        name: 'my-app',
        type: 'module',
        scripts: { dev: 'tsx watch src/index.ts', build: 'tsc', start: 'node dist/index.js' },
        dependencies: { '@hono/node-server': '^1', hono: '^4' },
        devDependencies: { tsx: '^4', typescript: '^5' },
      },
      'src/index.ts': '',
    },
    { framework: 'Hono', start: 'node dist/index.js', build: 'npm run build' },
  ],
  [
    'what express-generator writes',
    {
      'package.json': started('node ./bin/www', { dependencies: { express: '~4.16.1' } }),
      'app.js': '',
      'bin/www': '',
    },
    { framework: 'Express', start: 'node ./bin/www' },
  ],
  [
    'what nest new writes',
    {
      'package.json': {
        scripts: {
          build: 'nest build',
          start: 'nest start',
          'start:dev': 'nest start --watch',
          'start:prod': 'node dist/main',
        },
        dependencies: { '@nestjs/core': '^11', '@nestjs/platform-express': '^11' },
      },
    },
    { framework: 'NestJS', start: 'node dist/main', build: 'npm run build' },
  ],
  ['a script of no library', { 'package.json': started('node web.js') }, { start: 'node web.js' }],
  [
    'a script that calls others',
    {
      'package.json': {
        scripts: { start: 'npm run serve -- --quiet', serve: 'yarn run-server', 'run-server': 'node a.js' },
      },
    },
    { start: 'node a.js --quiet' },
  ],
  [
    'a script with cross-env, which is a dependency of developers',
    { 'package.json': started('cross-env NODE_ENV=production PORT=1 node "my server.js"') },
    { start: 'NODE_ENV=production PORT=1 node "my server.js"' },
  ],
  ['a program of a package', { 'package.json': started('npx -y tsx server.ts') }, { start: 'tsx server.ts' }],
  [
    'server.js, which npm starts',
    { 'package.json': { name: 'x' }, 'server.js': '' },
    { start: 'node server.js' },
  ],
  ['a Procfile', { Procfile: 'worker: x\nweb:  node a.js \r\n' }, { start: 'node a.js' }],
  [
    'a Procfile that starts a script, though there is a page',
    { Procfile: 'web: npm start', 'package.json': started('node b.js'), 'index.html': '' },
    { start: 'node b.js' },
  ],
])('%s', async (_what, files, expected) => {
  expect(await sourcesIn(files)).toMatchObject({ output: undefined, advice: undefined, ...expected })
})

it.each<[string, Files]>([
  ['a page beside a script', { 'package.json': started('node x.js'), 'index.html': '' }],
  ['a page beside server.js', { 'package.json': {}, 'server.js': '', 'index.html': '' }],
  ['a page beside a Procfile', { Procfile: 'web: vendor/bin/heroku-php-apache2', 'index.html': '' }],
  [
    'a page whose server for developers is a dependency of theirs',
    { 'package.json': { devDependencies: { express: '5' } }, 'index.html': '', 'index.js': '' },
  ],
  ['files alone', { 'index.js': '', 'server.js': '' }],
])('stays a site: %s', async (_what, files) => {
  expect(await contentsOf(files)).toEqual({ kind: 'site' })
})

it.each<[string, object]>([
  ['Create React App', started('react-scripts start', { dependencies: { 'react-scripts': '5' } })],
  ['Vite', started('node server.js', { dependencies: { vite: '7', express: '5' } })],
  ['Eleventy', started('eleventy --serve', { devDependencies: { '@11ty/eleventy': '3' } })],
  ['Docusaurus', started('docusaurus start', { dependencies: { '@docusaurus/core': '3' } })],
  ['Gatsby', started('gatsby develop', { dependencies: { gatsby: '5' } })],
  ['Angular', started('ng serve', { dependencies: { '@angular/core': '20', express: '5' } })],
  ['Astro', started('node dist/server/entry.mjs', { dependencies: { astro: '5' } })],
  ['Vue CLI', started('vue-cli-service serve', { devDependencies: { '@vue/cli-service': '5' } })],
  ['Parcel', started('parcel index.html', { devDependencies: { parcel: '2' } })],
])('%s stays a static site, whatever its script starts', async (framework, manifest) => {
  const files = { 'package.json': manifest, 'server.js': '', Procfile: 'web: npm start' }
  expect(await sourcesIn(files)).toMatchObject({ framework, start: undefined })
})

it.each<[string, object]>([
  [
    'a bundler of its own',
    started('webpack serve', { scripts: { build: 'webpack', start: 'webpack serve' } }),
  ],
  ['a watcher', started('nodemon x.js')],
  ['nothing to start', { name: 'x' }],
  ['a library without an entry', { dependencies: { express: '5' } }],
])('is not known to be a server: %s', async (_what, manifest) => {
  const sources = await sourcesIn({ 'package.json': manifest })
  expect(sources).toMatchObject({ framework: undefined, start: undefined })
})

it.each([
  ['nodemon app.js', 'node app.js'],
  ['node --watch app.js', 'node app.js'],
  ['NODE_ENV=development npx nodemon --exec node app.js', 'node app.js'],
])('never starts %s, and says what would do', async (start, better) => {
  const sources = await sourcesIn({
    'package.json': started(start, { dependencies: { express: '5' } }),
    'app.js': '',
  })
  expect(sources?.advice).toMatch(/^package.json has the script "start" for .*, a server for developers/)
  expect(sources?.advice).toContain(`such as ${better}`)
})

it('installs with the manager of the package, and nothing without dependencies', async () => {
  const locked = { 'package.json': initialized('express'), 'index.js': '', 'pnpm-lock.yaml': '' }
  expect(await sourcesIn(locked)).toMatchObject({ install: 'pnpm install --frozen-lockfile' })
  const plain = { 'package.json': started('node a.js') }
  expect(await sourcesIn(plain)).toMatchObject({ install: undefined })
})

it('installs a package of a workspace that itself depends on nothing', async () => {
  const files = { 'package.json': { workspaces: ['apps/*'] }, 'apps/api/package.json': started('node a.js') }
  expect(await sourcesIn(files, 'apps/api')).toMatchObject({ install: 'npm install', start: 'node a.js' })
})

it('is said in one line', async () => {
  const express = await sourcesIn({ 'package.json': initialized('express'), 'index.js': '' })
  const plain = await sourcesIn({ Procfile: 'web: node a.js' })
  if (!express || !plain) throw new Error('No sources.')
  expect(describeServer(express)).toBe('Express: npm install, then `node index.js` runs as its server.')
  expect(describeServer(plain)).toBe('A server: `node a.js` runs.')
  expect(describeSources(express)).toBe(
    'These are sources for Express. Their server starts with `node index.js`.',
  )
})
