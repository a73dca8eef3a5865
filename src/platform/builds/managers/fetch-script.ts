/** The script that fetches a package manager in a sandbox, when a build first runs it. */

/**
 * Takes a name, the package, a version of it, its digest or nothing, and the directory that it makes: in its
 * `node_modules/.bin` are the programs then. npm fetches the package, by the way to registries that
 * the build has, with the settings of the project's `.npmrc`, and compares it with what the registry says of
 * it; the digest is that of corepack: of the package's archive, for Yarn from 2 on of the program in it.
 */
export const fetchScript = `
const { spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } =
  require('node:fs')
const { dirname, join } = require('node:path')

const [name, packageName, version, digest, target] = process.argv.slice(2)
const what = name + ' ' + version
console.error('Fetching ' + what + '…')
mkdirSync(dirname(target), { recursive: true })
const made = mkdtempSync(target + '-')

function npm(...args) {
  const always = ['--global=false', '--workspaces=false', '--prefer-offline', '--ignore-scripts']
  const soon = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', made]
  const { status } = spawnSync('npm', [...args, ...always, ...soon, ...quiet], {
    cwd: made,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) fail(what + ' could not be fetched.')
}

function fail(message) {
  rmSync(made, { recursive: true, force: true })
  console.error('Error: ' + message)
  process.exit(1)
}

function check(path) {
  const [algorithm, expected] = digest.split('.')
  const found = createHash(algorithm).update(readFileSync(path)).digest('hex')
  if (found !== expected)
    fail(what + ' has another digest than packageManager in package.json says: ' + algorithm + '.' + found)
}

let above = process.cwd()
while (!existsSync(join(above, '.npmrc')) && dirname(above) !== above) above = dirname(above)
if (existsSync(join(above, '.npmrc'))) copyFileSync(join(above, '.npmrc'), join(made, '.npmrc'))

npm('pack', packageName + '@' + version)
const archive = readdirSync(made).find((each) => each.endsWith('.tgz'))
if (!archive) fail('There is no ' + what + '.')
const isProgram = packageName === '@yarnpkg/cli-dist'
if (digest !== '' && !isProgram) check(join(made, archive))
npm('install', '--no-save', '--no-package-lock', './' + archive)
const own = join(made, 'node_modules', packageName)
if (digest !== '' && isProgram) check(join(own, 'bin/yarn.js'))
if (name === 'bun' && spawnSync('node', ['install.js'], { cwd: own, stdio: 'inherit' }).status !== 0)
  fail(what + ' could not be set up.')
try {
  renameSync(made, target)
} catch (error) {
  // Another command of the build was first.
  if (!existsSync(join(target, 'node_modules'))) fail(String(error))
  rmSync(made, { recursive: true, force: true })
}
`
