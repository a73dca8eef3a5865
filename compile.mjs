/** Runs a deployment that finds no server, and keeps what V8 has compiled for it beside the program: see src/cli/start.ts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Script } from 'node:vm'

const file = resolve('dist/svc-program.js')
const script = new Script(readFileSync(file, 'utf8'), { filename: 'svc-program' })

const site = mkdtempSync(join(tmpdir(), 'svc-build-'))
writeFileSync(join(site, 'index.html'), '')
process.on('exit', () => {
  rmSync(site, { recursive: true, force: true })
  const compiled = `dist/svc-program.${process.version}-${process.arch}.bin`
  writeFileSync(compiled, script.createCachedData())
  process.exitCode = 0
})

process.env.SVC_TOKEN = 'none'
// Nothing can listen there.
const args = ['deploy', site, '--project', 'none', '--url', 'http://127.0.0.1:0']
process.argv = [process.execPath, file, ...args]
script.runInThisContext()(createRequire(file), undefined, file)
