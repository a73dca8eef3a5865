/**
 * Succeeds where `dist` is what the sources now would give, so that nothing is built twice; with `--write` it
 * notes what `dist` was built from.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const stamp = 'dist/.built-from'
const made = [
  'dist/main.js',
  'dist/svc.cjs',
  'dist/svc-program.js',
  'dist/svc-mcp.cjs',
  'dist/node-program.js',
  'dist/database.tar.gz',
  'dist/guides.json',
  'dist/svc.tgz',
  'dist/client.tgz',
]
const files = ['package.json', 'package-lock.json', 'tsconfig.json']
const folders = ['src', 'drizzle', 'docs', 'client', 'build']

const hash = createHash('sha256').update(process.version)
for (const file of [...files, ...folders.flatMap(filesIn)].sort()) {
  hash.update(`\0${file}\0`).update(readFileSync(file))
}
const builtFrom = hash.digest('hex')

if (process.argv.includes('--write')) writeFileSync(stamp, builtFrom)
else if (![...made, stamp].every((file) => existsSync(file))) process.exitCode = 1
else if (readFileSync(stamp, 'utf8') !== builtFrom) process.exitCode = 1

function filesIn(folder) {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      // Made by the build.
      .filter((file) => !file.startsWith(join('client', 'dist')))
  )
}
