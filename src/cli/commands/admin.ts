/** `svc admin`: what only the owner of the data directory or the database can do. */
import { Argument, Command } from 'commander'
import type { TeamPlan } from '../../stores/data-dir/admin-protocol.ts'
import { askOperator } from '../ask-operator.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { warn, write, writeJson } from '../terminal/output.ts'
import { backupCommand } from './admin-backup.ts'
import { blobsCommand } from './admin-blobs.ts'
import { checkCommand } from './admin-check.ts'
import { restoreCommand } from './admin-restore.ts'

const examples = `
Examples:
  $ svc admin key
  $ svc admin user ada@example.com
  $ svc admin plan acme pro
  $ svc admin backup /var/backups/svc
  $ svc admin restore /var/backups/svc
  $ svc admin check --mend
  $ svc admin blobs sweep
  $ svc admin clock accept
  $ SVC_DATA_DIR=/var/lib/svc svc admin key

It uses no API key but the node's settings, from the environment and from .env in the working directory.`

/** The command `svc admin` and its subcommands. */
export function adminCommand(io: Io): Command {
  const key = new Command('key')
    .description('create an owner key and print its token')
    .action((_options, command: Command) => makeOwnerKey(io, globalOptions(command)))
  const user = new Command('user')
    .description('print a link to set the password of a new or existing user')
    .argument('[email]', 'email address of the user; the first user enters it on the page of the link')
    .option('--without-second-factor', "take the user's second factor away, and end all sessions")
    .action((email: string | undefined, options: PersonLinkOptions, command: Command) =>
      makePersonLink(io, { email, ...options }, globalOptions(command)),
    )
  const plan = new Command('plan')
    .description("set a team's plan (its rate limits)")
    .argument('<team>', 'its slug or id')
    .addArgument(new Argument('<plan>').choices(['free', 'pro', 'enterprise']))
    .action((team: string, plan: TeamPlan['plan'], _options, command: Command) =>
      setTeamPlan(io, { team, plan }, globalOptions(command)),
    )
  const accept = new Command('accept')
    .description('confirm that the clock is right after a jump, and expire data again')
    .action((_options, command: Command) => acceptClock(io, globalOptions(command)))
  const clock = new Command('clock').description("the installation's clock").addCommand(accept)
  return new Command('admin')
    .description('administer the node on this machine')
    .addHelpText('afterAll', examples)
    .addCommand(key)
    .addCommand(user)
    .addCommand(plan)
    .addCommand(backupCommand(io))
    .addCommand(restoreCommand(io))
    .addCommand(checkCommand(io))
    .addCommand(blobsCommand(io))
    .addCommand(clock)
}

async function makeOwnerKey(io: Io, { json }: GlobalOptions): Promise<void> {
  const { token, team } = await askOperator(io, 'createOwnerKey', {})
  warn(io, `A new owner key of team ${team}. It is printed only once: store it safely.`)
  if (json) writeJson(io, { token })
  else write(io, token)
}

type PersonLinkOptions = { withoutSecondFactor?: boolean }

async function makePersonLink(
  io: Io,
  { email, withoutSecondFactor = false }: PersonLinkOptions & { email: string | undefined },
  { json }: GlobalOptions,
): Promise<void> {
  const input = { ...(email !== undefined && { email }), without_second_factor: withoutSecondFactor }
  const link = await askOperator(io, 'createPersonLink', input)
  const until = new Date(link.expires_ms).toISOString()
  warn(io, `This link sets the password of ${email ?? 'the first user'}. It works once, until ${until}.`)
  if (json) writeJson(io, link)
  else write(io, link.url)
}

async function setTeamPlan(io: Io, change: TeamPlan, { json }: GlobalOptions): Promise<void> {
  const { team, plan } = await askOperator(io, 'setPlan', change)
  if (json) writeJson(io, { team, plan })
  else write(io, `Team ${team} is now on the ${plan} plan.`)
}

async function acceptClock(io: Io, { json }: GlobalOptions): Promise<void> {
  const { now_ms: nowMs, seen_ms: seenMs } = await askOperator(io, 'acceptClock', {})
  const [now, seen] = [nowMs, seenMs].map((ms) => new Date(ms).toISOString())
  if (json) writeJson(io, { now_ms: nowMs, seen_ms: seenMs })
  else write(io, `The clock says ${now}; it was last seen at ${seen}. Data expires again.`)
}
