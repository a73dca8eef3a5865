/** Makes what the compiler doesn't: `svc` and the node as one file each, and licenses of what is in `svc`. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { licensesOf } from './licenses.mjs'

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
}

const moduleUrl = "const moduleUrl = require('node:url').pathToFileURL(file)"

/**
 * One file loads in a fraction of the time that the hundred take of which it is made. It is CommonJS because
 * only that loads Node's own modules where they are used, and not all of them at the start.
 */
const program = { ...common, format: 'cjs', footer: { js: '})' }, metafile: true, write: false }

async function buildCommand() {
  const { metafile, outputFiles } = await build({
    ...program,
    minify: true,
    entryPoints: ['dist/cli/main.js'],
    outfile: 'dist/svc-program.js',
    // tRPC's client asks of each input whether it is a form, which would have Node load the whole of its
    // `fetch`.
    define: { FormData: 'Form' },
    banner: { js: `(function (require, load, file) { ${moduleUrl}; class Form {}` },
    // What `svc admin` loads: the node's own modules, each of which may be there only once.
    external: [
      './dist/cli/admin/*',
      './dist/operate/node/admin.js',
      './dist/operate/backup/run-backup.js',
      './dist/operate/backup/broken-off.js',
      './dist/stores/blobs/copy-blobs.js',
      './dist/lib/settings/*',
    ],
    plugins: [
      { name: 'lazy child_process', setup: loadWhenUsed },
      { name: 'protocol apart', setup: loadProtocol },
      { name: 'own places', setup: keepPlaces },
    ],
  })
  writeFileSync('dist/svc-program.js', importByLoad(metafile, outputFiles[0].text))
  await build({
    ...common,
    minify: true,
    entryPoints: ['dist/cli/start.js'],
    outfile: 'dist/svc.cjs',
    format: 'cjs',
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename)" },
  })
  const protocol = await buildProtocol()
  await compile('svc-program')
  const inputs = { ...metafile.inputs, ...protocol.metafile.inputs }
  writeFileSync('dist/svc.LICENSES.txt', licensesOf(Object.keys(inputs)))
}

/** As large as all of the rest, and `svc mcp` alone needs it. */
function buildProtocol() {
  return build({
    ...common,
    minify: true,
    metafile: true,
    entryPoints: ['dist/cli/mcp/protocol.js'],
    outfile: 'dist/svc-mcp.cjs',
    format: 'cjs',
    plugins: [{ name: 'no validator', setup: leaveOutValidator }],
  })
}

/** The program of the node, which is not minified so that stack traces can be read. */
async function buildNode() {
  const { outputFiles } = await build({
    ...program,
    entryPoints: ['dist/operate/node/run-node.js'],
    outfile: 'dist/node-program.js',
    // In a scope of its own, where names of the modules may be the same.
    banner: { js: `(function (require, load, file) { ${moduleUrl}; (() => {` },
    footer: { js: '})() })' },
    // The database reads files beside its own; the other is optional and not installed.
    external: ['@electric-sql/pglite', 'protobufjs/minimal'],
    // `require` knows all that is left to be loaded.
    supported: { 'dynamic-import': false },
    plugins: [{ name: 'own places', setup: keepPlaces }],
  })
  writeFileSync('dist/node-program.js', outputFiles[0].text)
  await compile('node-program')
}

await Promise.all([buildCommand(), buildNode()])

/**
 * The library for command lines loads it at once, for commands that are programs of their own; there are
 * none.
 */
function loadWhenUsed({ onResolve, onLoad }) {
  const filter = /^node:child_process$/
  onResolve({ filter }, ({ path, importer }) =>
    importer.includes('node_modules/commander/') ? { path, namespace: 'lazy' } : undefined,
  )
  const contents = "exports.spawn = (...given) => require('node:child_process').spawn(...given)"
  onLoad({ filter, namespace: 'lazy' }, () => ({ contents }))
}

/** The program finds it beside itself. */
function loadProtocol({ onResolve }) {
  onResolve({ filter: /\/protocol\.js$/ }, () => ({ path: './svc-mcp.cjs', external: true }))
}

/**
 * The library loads a validator of JSON Schema, for what servers ask of people; `svc mcp` asks nothing, and
 * the API checks what it gets.
 */
function leaveOutValidator({ onResolve, onLoad }) {
  const filter = /^@modelcontextprotocol\/server\/_shims$/
  onResolve({ filter }, ({ path }) => ({ path, namespace: 'lazy' }))
  const contents = `export { default as process } from 'node:process'
    export class DefaultJsonSchemaValidator {
      getValidator() { throw new Error('There is no validator.') }
    }`
  onLoad({ filter, namespace: 'lazy' }, () => ({ contents }))
}

/** Files find others of the package from where they were before. */
function keepPlaces({ onLoad }) {
  onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) => {
    if (path.includes('node_modules')) return undefined
    const text = readFileSync(path, 'utf8')
    const place = JSON.stringify(relative('dist', path))
    return { contents: text.replaceAll('import.meta.url', `new URL(${place}, moduleUrl)`) }
  })
}

function compile(name) {
  return promisify(execFile)(process.execPath, ['build/compile.mjs', name])
}

/**
 * V8 forgets with what it compiled who is to be asked for an `import()`: the file that starts the program is.
 */
function importByLoad(metafile, text) {
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const expected = imports.filter(({ kind, external }) => kind === 'dynamic-import' && external).length
  const parts = text.split(/\bimport\(/)
  if (parts.length - 1 !== expected) throw new Error(`${parts.length - 1} imports, not ${expected}.`)
  return parts.join('load(')
}
