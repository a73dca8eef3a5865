/**
 * Starts a node: from the one file that the build made of all its modules, which takes half as long; from the
 * modules themselves where stack traces are to lead to the sources (`--enable-source-maps`), and in a
 * package, which has no such file.
 */
import { existsSync } from 'node:fs'
import { runProgram } from './stores/cache/compiled-program.ts'

const directory = new URL('.', import.meta.url)

if (process.sourceMapsEnabled || !existsSync(new URL('node-program.js', directory))) {
  await import('./operate/node/run-node.ts')
} else {
  runProgram('node-program', directory)
}
