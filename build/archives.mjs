/**
 * Makes the packages that every node serves, without dependencies: `dist/svc.tgz`, the command, and
 * `dist/client.tgz`, the typed client. The same sources give the same bytes: no times, owners or order of a
 * directory get into them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'

const { version, license, engines } = JSON.parse(readFileSync('package.json', 'utf8'))

await writeArchive('dist/svc.tgz', {
  'package.json': manifest({
    name: '@svc-platform/cli',
    description: 'The command of svc, a deployment platform: deploys sites to a server of your own.',
    bin: { svc: 'dist/svc.cjs' },
  }),
  'dist/svc.cjs': readFileSync('dist/svc.cjs'),
  'dist/svc-program.js': readFileSync('dist/svc-program.js'),
  'dist/svc-mcp.cjs': readFileSync('dist/svc-mcp.cjs'),
  'dist/svc.LICENSES.txt': readFileSync('dist/svc.LICENSES.txt'),
  LICENSE: readFileSync('LICENSE'),
})

const client = JSON.parse(readFileSync('client/package.json', 'utf8'))
await writeArchive('dist/client.tgz', {
  'package.json': manifest(client),
  ...filesOf('client', ['README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/LICENSES.txt']),
  LICENSE: readFileSync('LICENSE'),
})

function filesOf(directory, names) {
  return Object.fromEntries(names.map((name) => [name, readFileSync(`${directory}/${name}`)]))
}

function manifest(fields) {
  return `${JSON.stringify({ ...fields, version, license, engines }, null, 2)}\n`
}

/** Files by path, in npm's form: all below `package/`. */
async function writeArchive(path, files) {
  const entries = Object.entries(files).map(([name, body]) => ({
    header: {
      name: `package/${name}`,
      size: Buffer.byteLength(body),
      mode: name.endsWith('svc.cjs') ? 0o755 : 0o644,
      mtime: new Date(0),
    },
    body,
  }))
  const archive = gzipSync(await packTar(entries), { level: 9 })
  // The system that compressed it (RFC 1952, section 2.3.1): unknown, for it makes no difference.
  archive[9] = 255
  writeFileSync(path, archive)
}
