/** `svc admin`: what only who has the data directory or the database can do. */
import { Command } from 'commander'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { warn, write, writeJson } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc admin key
  $ SVC_DATA_DIR=/var/lib/svc svc admin key

It needs no API key, but the node's settings: from the environment, and from .env in the working directory.`

/** The command `svc admin` and those below it. */
export function adminCommand(io: Io): Command {
  const key = new Command('key')
    .description('make a new owner key and print its token')
    .action((_options, command: Command) => makeOwnerKey(io, globalOptions(command)))
  return new Command('admin')
    .description('administer the node on this machine')
    .addHelpText('afterAll', examples)
    .addCommand(key)
}

async function makeOwnerKey(io: Io, { json }: GlobalOptions): Promise<void> {
  // Loaded when needed, here and below: most of the program, which other commands would only wait for.
  const [{ parseSettings, readEnvironment, unknownSettings }, { adminKey }] = await Promise.all([
    import('../../settings.ts'),
    import('../admin/make-key.ts'),
  ])
  const environment = readEnvironment(process.cwd(), io.env)
  for (const line of unknownSettings(environment)) warn(io, line)
  const settings = parseSettings(environment)
  const openDirectly = async () => (await import('../../owner-key.ts')).createOwnerKeyDirectly(settings)
  await adminKey({
    settings,
    write: (token) => (json ? writeJson(io, { token }) : write(io, token)),
    warn: (line) => warn(io, line),
    openDirectly,
  })
}
