/** Makes what the compiler doesn't: `svc` as one file, with the licenses of what is in it, and the pages' script. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const common = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
}

/**
 * One file loads in a fraction of the time that the hundred take of which it is made. It is CommonJS because only that
 * loads Node's own modules where they are used, and not all of them at the start.
 */
const { metafile, outputFiles } = await build({
  ...common,
  entryPoints: ['dist/cli/main.js'],
  outfile: 'dist/svc-program.js',
  format: 'cjs',
  // tRPC's client asks of each input whether it is a form, which would have Node load the whole of its `fetch`.
  define: { 'import.meta.url': 'moduleUrl', FormData: 'Form' },
  banner: {
    js: "(function (require, load, file) { const moduleUrl = require('node:url').pathToFileURL(file); class Form {}",
  },
  footer: { js: '})' },
  // What `svc admin` loads: the node's own modules, each of which may be there only once.
  external: ['./dist/cli/admin/*', './dist/node/admin.js', './dist/settings/*'],
  plugins: [{ name: 'lazy child_process', setup: loadWhenUsed }],
  metafile: true,
  write: false,
})
writeFileSync('dist/svc-program.js', importByLoad(outputFiles[0].text))
await build({
  ...common,
  entryPoints: ['dist/cli/start.js'],
  outfile: 'dist/svc.cjs',
  format: 'cjs',
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename)" },
})
execFileSync(process.execPath, ['compile.mjs'], { stdio: 'ignore' })
writeFileSync('dist/svc.LICENSES.txt', licenses(Object.keys(metafile.inputs)))

const explorer = 'openapi-explorer.min.js'
mkdirSync('dist/assets', { recursive: true })
copyFileSync(join('node_modules/openapi-explorer/dist/browser', explorer), join('dist/assets', explorer))

/** The library for command lines loads it at once, for commands that are programs of their own; there are none. */
function loadWhenUsed({ onResolve, onLoad }) {
  const filter = /^node:child_process$/
  onResolve({ filter }, ({ path, importer }) =>
    importer.includes('node_modules/commander/') ? { path, namespace: 'lazy' } : undefined,
  )
  const contents = "exports.spawn = (...given) => require('node:child_process').spawn(...given)"
  onLoad({ filter, namespace: 'lazy' }, () => ({ contents }))
}

/** V8 forgets with what it compiled who is to be asked for an `import()`: the file that starts the program is. */
function importByLoad(text) {
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const expected = imports.filter(({ kind, external }) => kind === 'dynamic-import' && external).length
  const parts = text.split(/\bimport\(/)
  if (parts.length - 1 !== expected) throw new Error(`${parts.length - 1} imports, not ${expected}.`)
  return parts.join('load(')
}

/** The licenses of the packages that these files are from. */
function licenses(files) {
  const packages = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [])
  return [...new Set(packages)].sort().map(licenseOf).join('\n\n')
}

function licenseOf(directory) {
  const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const file = readdirSync(directory).find((each) => /^licen[cs]e/i.test(each))
  if (!file) throw new Error(`${name} has no license file.`)
  return `${name} ${version}\n\n${readFileSync(join(directory, file), 'utf8').trimEnd()}\n`
}
