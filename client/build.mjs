/**
 * Makes `client/dist`, the typed client as a package: one module, and one file of types without those of the
 * server.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { licensesOf } from '../build/licenses.mjs'
import { rollUp } from './roll-up.mjs'

const { metafile } = await build({
  bundle: true,
  entryPoints: ['dist/api/client/index.js'],
  outfile: 'client/dist/index.js',
  format: 'esm',
  // Browsers, Deno and Node alike.
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  metafile: true,
  logLevel: 'warning',
})
const types = rollUp(readFileSync('dist/api/routers/index.d.ts', 'utf8'))
writeFileSync('client/dist/index.d.ts', `${readFileSync('client/base.d.ts', 'utf8')}\n${types}`)
writeFileSync('client/dist/LICENSES.txt', licensesOf(Object.keys(metafile.inputs)))
