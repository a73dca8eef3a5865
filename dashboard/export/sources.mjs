/** Whether `dist/dashboard` is what the sources now would give. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Made by an installation, a build, or an editor. */
const made = /^(node_modules|\.next|out|next-env\.d\.ts|.*\.tsbuildinfo)$/

/** The files of `src` that the dashboard is built from. */
export const shared = ['call-scope', 'jwt-claims', 'jwt-source', 'send-with-jwt']
  .map((name) => join('src', 'api', 'client', `${name}.ts`))
  .concat(
    [
      'audit-text',
      'env-file',
      'forge-links',
      'async/in-turns',
      'async/let-others-run',
      'frameworks/angular',
      'frameworks/describe',
      'frameworks/development-servers',
      'frameworks/find-server',
      'frameworks/found',
      'frameworks/manager-table',
      'frameworks/manifest',
      'frameworks/output-directory',
      'frameworks/package-manager',
      'frameworks/path-below',
      'frameworks/plain-fields',
      'frameworks/plain-list',
      'frameworks/prebuilt',
      'frameworks/procfile',
      'frameworks/recognize',
      'frameworks/scripts',
      'frameworks/server-libraries',
      'frameworks/server-output',
      'frameworks/shell-commands',
      'frameworks/signs',
      'frameworks/start-script',
      'frameworks/table',
      'frameworks/workspace',
      'frameworks/workspace-patterns',
      'is-record',
      'json-text',
      'leaving-words',
      'names/entry-path',
      'names/event-types',
      'names/follow-links',
      'names/never-deployed',
      'names/nfc',
      'names/parse-url',
      'names/repository-path',
      'needs-worker',
      'net/loopback',
      'notice-events',
      'warning-text',
    ].map((name) => join('src', 'lib', `${name}.ts`)),
  )

/**
 * The digest of what the dashboard is built from: its package, the types of the client, and what both share.
 */
export function digestSources() {
  const entries = readdirSync('dashboard', { withFileTypes: true }).filter(({ name }) => !made.test(name))
  const files = [...entries.flatMap(filesBelow), ...shared, join('client', 'dist', 'index.d.ts')]
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Whether the dashboard that is there was built from sources with this digest. */
export function isBuiltFrom(digest) {
  const manifest = join('dist', 'dashboard', 'manifest.json')
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).builtFrom === digest
}

function filesBelow(entry) {
  const path = join('dashboard', entry.name)
  if (entry.isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((below) => below.isFile())
    .map((below) => join(below.parentPath ?? below.path, below.name))
}
