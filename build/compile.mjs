/**
 * Runs a program of one file for a moment, and keeps what V8 has compiled for it beside it: see
 * src/stores/cache/compiled-program.ts. `svc-program` deploys where it finds no server, and `node-program` is
 * given a setting that it refuses.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Script } from 'node:vm'

const [, , name] = process.argv
const file = resolve('dist', `${name}.js`)
const script = new Script(readFileSync(file, 'utf8'), { filename: name })

let failed = true
const site = mkdtempSync(join(tmpdir(), 'svc-build-'))
writeFileSync(join(site, 'index.html'), '')
process.on('exit', () => {
  rmSync(site, { recursive: true, force: true })
  if (failed) return
  const compiled = `dist/${name}.${process.version}-${process.arch}.bin`
  writeFileSync(compiled, script.createCachedData())
  process.exitCode = 0
})

process.env.SVC_TOKEN = 'none'
process.env.SVC_PORT = 'none'
// Nothing can listen there.
const args = ['deploy', site, '--project', 'none', '--url', 'http://127.0.0.1:0']
process.argv = [process.execPath, file, ...args]
try {
  script.runInThisContext()(createRequire(file), undefined, file)
  failed = false
} catch (error) {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
}
