/** The process: reads the settings, starts a node, and stops it on SIGTERM or SIGINT. */
import { DataDirectoryInUseError } from '../data-dir/lock.ts'
import { createLogger, explainError } from '../log/logger.ts'
import { SettingsError } from '../settings/error.ts'
import { parseSettings, readEnvironment, unknownSettings } from '../settings/parse.ts'
import { type Node, startNode } from './node.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const warn = (text: string) => process.stderr.write(`${text}\n`)

void run()

async function run(): Promise<void> {
  try {
    const environment = readEnvironment(process.cwd(), process.env)
    for (const sentence of unknownSettings(environment)) warn(sentence)
    const log = createLogger()
    // Node would print the whole error, including the parameters of a query.
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'Unexpected error: the process exits.')
      process.exit(1)
    })
    const node = await startNode(parseSettings(environment), { log })
    greet(node)
    stopOnSignal(node)
  } catch (error) {
    const expected = error instanceof SettingsError || error instanceof DataDirectoryInUseError
    warn(expected ? error.message : `svc could not start: ${explainError(error)}`)
    process.exitCode = 1
  }
}

function greet({ apiUrl, sitesUrl, firstKey, firstLink }: Node): void {
  say(
    `svc is ready. API: ${apiUrl} (reference: ${apiUrl}/docs), sites: ${sitesUrl.replace('//', '//<name>.')}`,
  )
  if (!firstKey) return
  say(`
This is the owner key of your team. It is printed only once: store it safely.

${firstKey.token}

Deploy the example site with it, in another terminal; the first command asks for the key:

  npx svc login --url ${apiUrl}
  npx svc deploy examples/hello --prod

To sign in as a person, open this within three days, and choose the address and the password to sign in with:

${firstLink}
`)
}

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
