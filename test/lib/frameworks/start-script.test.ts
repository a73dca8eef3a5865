/** By which command a script starts a server, and which commands run one for developers. */
import { describe, expect, it } from 'vitest'
import { developmentServerIn } from '../../../src/lib/frameworks/development-servers.ts'
import { scriptsOf } from '../../../src/lib/frameworks/scripts.ts'
import { startScriptOf } from '../../../src/lib/frameworks/start-script.ts'

const commandOf = (scripts: Record<string, string>) => startScriptOf(scriptsOf({ scripts }))?.command

describe('a script', () => {
  it.each<[string, Record<string, string>, string]>([
    ['as it is', { start: 'NODE_ENV=production node x' }, 'NODE_ENV=production node x'],
    ['through another', { start: 'npm run a', a: 'pnpm b', b: 'node c.js' }, 'node c.js'],
    ['through npm start', { start: 'npm run a', a: 'node c.js' }, 'node c.js'],
    ['in a row', { start: 'npm run a && yarn b', a: 'echo a', b: 'node b.js' }, 'echo a && node b.js'],
    ['with a row in a row', { start: 'npm run a || b', a: 'c && d' }, '(c && d) || b'],
    ['of a program in a package', { start: 'pnpm exec tsx a.ts' }, 'tsx a.ts'],
    ['of a package that yarn runs', { start: 'yarn tsx a.ts' }, 'yarn tsx a.ts'],
    ['by bun', { start: 'bun run a', a: 'node b.js' }, 'node b.js'],
    ['with flags of npm', { start: 'npm run --silent a', a: 'node b.js' }, 'node b.js'],
  ])('%s', (_what, scripts, command) => {
    expect(commandOf(scripts)).toBe(command)
  })

  it('is none where it calls itself, or is missing, empty or endless', () => {
    expect(commandOf({ start: 'npm start' })).toBeUndefined()
    expect(commandOf({ start: 'npm run a', a: 'npm run b', b: 'npm run a' })).toBeUndefined()
    expect(commandOf({ build: 'x' })).toBeUndefined()
    expect(commandOf({ start: ' ' })).toBeUndefined()
    expect(commandOf({ start: `node ${'x'.repeat(1_000)}` })).toBeUndefined()
    const twice = {
      start: 'npm run a && npm run a',
      a: 'npm run b && npm run b',
      b: `echo ${'x'.repeat(300)}`,
    }
    expect(commandOf(twice)).toBeUndefined()
  })

  it('for production counts where the other is for developers', () => {
    const scripts = { start: 'nodemon a.js', 'start:prod': 'node a.js' }
    expect(startScriptOf(scriptsOf({ scripts }))).toEqual({
      script: 'start:prod',
      command: 'node a.js',
      development: undefined,
    })
  })
})

it.each([
  'nodemon server.js',
  './node_modules/.bin/nodemon',
  'next dev',
  'next',
  'next -p 3000',
  'vite',
  'vite dev --host',
  'vite --port 3000',
  'react-scripts start',
  'ng serve --open',
  'webpack serve',
  'webpack-dev-server --hot',
  'tsx watch src/index.ts',
  'node --watch server.js',
  'node --env-file=.env --watch-path=./src server.js',
  'ts-node-dev --respawn a.ts',
  'eleventy --serve',
  'astro dev',
  'astro',
  'nuxt dev',
  'cross-env NODE_ENV=development nodemon x',
  'npx nodemon x',
  'concurrently "vite" "node server.js"',
  'npm run build && vite',
  'nest start --watch',
  'gulp watch',
  'turbo run dev',
  'docusaurus start',
])('%s runs a server for developers', (line) => {
  expect(developmentServerIn(line)).toBeDefined()
})

it.each([
  'node server.js',
  'node watch.js',
  'next start',
  'next start -p $PORT',
  'vite preview',
  'astro preview',
  'nuxt start',
  'tsx server.ts',
  'serve -s build',
  'node .output/server/index.mjs',
  'react-router-serve build/server/index.js',
  'PORT=3000 node dist/vite.js',
  'nest start',
  'node nodemon.js',
  'ng-server',
  '',
])('%s does not', (line) => {
  expect(developmentServerIn(line)).toBeUndefined()
})
