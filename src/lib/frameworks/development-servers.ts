/** Commands that run a server for developers: it watches files, and trusts its network. */
import { commandsIn } from './shell-commands.ts'

/** The arguments with which a program is one, joined by spaces. */
const always = /^/
const watching = /(^|\s)(--watch(-\w+)?|--hot)(\s|=|$)/

const otherThan = (...verbs: string[]) => new RegExp(`^(?!(?:${verbs.join('|')})(\\s|$))`)
const oneOf = (...verbs: string[]) => new RegExp(`^(?:${verbs.join('|')})(\\s|$)`)

const programs: Partial<Record<string, RegExp>> = {
  nodemon: always,
  supervisor: always,
  'node-dev': always,
  'ts-node-dev': always,
  tsnd: always,
  'live-server': always,
  'lite-server': always,
  'browser-sync': always,
  'webpack-dev-server': always,
  'start-storybook': always,
  node: watching,
  bun: watching,
  deno: watching,
  tsc: /(^|\s)(--watch|-w)(\s|$)/,
  tsx: /^(watch(\s|$)|.*--watch)/,
  next: otherThan('build', 'start', 'export', 'lint', 'telemetry', 'info'),
  nuxt: otherThan('build', 'start', 'generate', 'preview', 'prepare', 'typecheck'),
  nuxi: oneOf('dev'),
  nitro: oneOf('dev'),
  nitropack: oneOf('dev'),
  vinxi: oneOf('dev'),
  astro: otherThan('build', 'preview', 'check', 'sync', 'add', 'info'),
  vite: otherThan('build', 'preview', 'optimize'),
  'react-router': oneOf('dev'),
  remix: oneOf('dev', 'watch', 'vite:dev'),
  'react-scripts': oneOf('start'),
  'react-app-rewired': oneOf('start'),
  craco: oneOf('start'),
  'react-native': oneOf('start'),
  expo: oneOf('start'),
  'vue-cli-service': oneOf('serve'),
  ng: oneOf('serve', 's', 'dev'),
  nest: /^start(\s.*)?\s(--watch|-w|--debug)(\s|$)/,
  webpack: /^(serve|s|server|watch|w)(\s|$)|(^|\s)(--watch|-w)(\s|$)/,
  rspack: oneOf('serve', 's', 'dev', 'watch'),
  rsbuild: otherThan('build', 'preview', 'inspect'),
  rollup: /(^|\s)(--watch|-w)(\s|$)/,
  esbuild: /(^|\s)--(watch|serve)\b/,
  parcel: otherThan('build', 'help'),
  snowpack: otherThan('build'),
  eleventy: /(^|\s)--(serve|watch)(\s|$)/,
  gatsby: oneOf('develop'),
  docusaurus: oneOf('start'),
  vitepress: otherThan('build', 'preview', 'serve'),
  vuepress: otherThan('build'),
  storybook: oneOf('dev'),
  ember: oneOf('serve', 'server', 's'),
  hexo: oneOf('server', 's'),
  gulp: /(^|\s)(watch|serve|dev|start)(\s|$)/,
  turbo: /(^|\s)(dev|watch)(\s|$)/,
  nx: oneOf('serve', 'dev'),
  wrangler: oneOf('dev'),
  vercel: oneOf('dev'),
  netlify: oneOf('dev'),
}

/** The first server for developers that a line runs, as in `vite dev`; undefined where it runs none. */
export function developmentServerIn(line: string): string | undefined {
  const found = commandsIn(line).find(({ program, args }) => programs[program]?.test(args.join(' ')))
  return found && [found.program, ...found.args].slice(0, shownWords).join(' ')
}

/** As many words say which it is. */
const shownWords = 3
