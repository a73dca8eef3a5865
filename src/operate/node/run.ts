/** The process: reads the settings, starts a node, and stops it on SIGTERM or SIGINT. */

import { createLogger, explainError, type Logger } from '../../lib/log/logger.ts'
import { isExposed } from '../../lib/net/loopback.ts'
import { warningsOf } from '../../lib/settings/checks.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import type { RoleName } from '../../lib/settings/kinds.ts'
import { parseSettings, readEnvironment, unknownSettings } from '../../lib/settings/parse.ts'
import { readEnvironmentFile } from '../../stores/data-dir/environment-file.ts'
import { DataDirectoryInUseError } from '../../stores/data-dir/lock.ts'
import { type Node, startNode } from './node.ts'
import { limitedToOneProcess, partOf, processArgument, processesOf } from './processes/count.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const warn = (text: string) => process.stderr.write(`${text}\n`)

if (process.argv[2] === processArgument) void runBesideOthers()
else void run()

async function run(): Promise<void> {
  try {
    const environment = readEnvironment(readEnvironmentFile(process.cwd()), process.env)
    for (const sentence of unknownSettings(environment)) warn(sentence)
    const log = openLog()
    const settings = parseSettings(environment)
    for (const sentence of warningsOf(settings)) warn(sentence)
    const limited = limitedToOneProcess(settings)
    if (limited) warn(limited)
    const node = await startNode(partOf(settings, processesOf(settings)), { log, environment })
    greet(node, settings.SVC_ROLES)
    stopOnSignal(node)
  } catch (error) {
    const expected = error instanceof SettingsError || error instanceof DataDirectoryInUseError
    warn(expected ? error.message : `svc could not start: ${explainError(error)}`)
    process.exitCode = 1
  }
}

/** As one of several processes, which the first one starts. */
async function runBesideOthers(): Promise<void> {
  const { serveAsProcess } = await import('./processes/serve.ts')
  await serveAsProcess(openLog())
}

/** The log, which has the error if the process ends with one. */
function openLog(): Logger {
  const log = createLogger()
  // Node would print the whole error, including the parameters of a query.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'Unexpected error: the process exits.')
    process.exit(1)
  })
  return log
}

function greet(node: Node, roles: readonly RoleName[]): void {
  const { apiUrl, sitesUrl, dnsPort, internalPort, firstKey, firstLink } = node
  const places = [
    ...(roles.includes('api') ? [`API: ${apiUrl} (reference: ${apiUrl}/docs)`] : []),
    ...(dnsPort === undefined ? [] : [`DNS: port ${dnsPort}`]),
    ...(roles.includes('edge') ? [`sites: ${sitesUrl.replace('//', '//<name>.')}`] : []),
  ]
  say(`svc is ready. ${places.length > 0 ? places.join(', ') : `Internal port: ${internalPort}`}`)
  if (!firstKey) return
  say(`
This is the owner key of your team. It is printed only once: store it safely.

${firstKey.token}

Deploy the example site with it, in another terminal; the first command asks for the key:

  npm run -s svc -- login --url ${apiUrl}
  npm run -s svc -- deploy examples/hello --prod

Elsewhere, install this server's own command: npm install -g ${apiUrl}/svc.tgz
${isExposed(apiUrl) ? exposed : ''}
To sign in as a person, open this within three days, and choose the address and the password to sign in with:

${firstLink}
`)
}

const exposed = `
Warning: this address is plain http. Whoever is on the way can read keys and passwords, and change what is
installed from it. Set SVC_URL to an https address, with SVC_TLS_CERT and SVC_TLS_KEY or behind a proxy with
TLS.
`

function stopOnSignal(node: Node): void {
  let asked = false
  const stop = async () => {
    if (asked) process.exit(1)
    asked = true
    await node.stop()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
