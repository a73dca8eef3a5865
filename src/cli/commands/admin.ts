/** `svc admin`: what only who has the data directory or the database can do. */
import { Argument, Command } from 'commander'
import type { TeamPlan } from '../../data-dir/admin-protocol.ts'
import type { Settings } from '../../settings.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { plain, warn, write, writeJson } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc admin key
  $ SVC_DATA_DIR=/var/lib/svc svc admin key
  $ svc admin plan acme pro

It needs no API key, but the node's settings: from the environment, and from .env in the working directory.`

/** The command `svc admin` and those below it. */
export function adminCommand(io: Io): Command {
  const key = new Command('key')
    .description('make a new owner key and print its token')
    .action((_options, command: Command) => makeOwnerKey(io, globalOptions(command)))
  const plan = new Command('plan')
    .description('set what a team may use how much of')
    .argument('<team>', 'its slug or id')
    .addArgument(new Argument('<plan>').choices(['free', 'pro', 'enterprise']))
    .action((team: string, plan: TeamPlan['plan'], _options, command: Command) =>
      setTeamPlan(io, globalOptions(command), { team, plan }),
    )
  return new Command('admin')
    .description('administer the node on this machine')
    .addHelpText('afterAll', examples)
    .addCommand(key)
    .addCommand(plan)
}

async function makeOwnerKey(io: Io, { json }: GlobalOptions): Promise<void> {
  const settings = await readSettings(io)
  // Loaded when needed, here and below: most of the program, which other commands would only wait for.
  const { adminKey } = await import('../admin/make-key.ts')
  const openDirectly = async () => (await import('../../owner-key.ts')).createOwnerKeyDirectly(settings)
  await adminKey({
    settings,
    write: (token) => (json ? writeJson(io, { token }) : write(io, token)),
    warn: (line) => warn(io, line),
    openDirectly,
  })
}

async function setTeamPlan(io: Io, { json }: GlobalOptions, change: TeamPlan): Promise<void> {
  const settings = await readSettings(io)
  const directory = settings.SVC_DATA_DIR
  const [{ onNodeOrDirectly }, { requestPlan }] = await Promise.all([
    import('../admin/reach.ts'),
    import('../admin/ask-node.ts'),
  ])
  const { team, plan } = await onNodeOrDirectly(directory, {
    onNode: () => requestPlan(directory, change),
    directly: async () => (await import('../../team-plan.ts')).setPlanDirectly(settings, change),
  })
  if (json) writeJson(io, { team, plan })
  else write(io, `Team ${plain(team)} has the plan ${plan}.`)
}

/** The node's settings, which an operator's command shares. */
async function readSettings(io: Io): Promise<Settings> {
  const { parseSettings, readEnvironment, unknownSettings } = await import('../../settings.ts')
  const environment = readEnvironment(process.cwd(), io.env)
  for (const line of unknownSettings(environment)) warn(io, line)
  return parseSettings(environment)
}
