/** `svc admin`: what only who has the data directory or the database can do. */
import { Argument, Command } from 'commander'
import type { TeamPlan } from '../../data-dir/admin-protocol.ts'
import { askOperator } from '../ask-operator.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { plain, warn, write, writeJson } from '../terminal/output.ts'
import { blobsCommand } from './admin-blobs.ts'

const examples = `
Examples:
  $ svc admin key
  $ svc admin user ada@example.com
  $ svc admin plan acme pro
  $ svc admin blobs sweep
  $ svc admin clock accept
  $ SVC_DATA_DIR=/var/lib/svc svc admin key

It needs no API key, but the node's settings: from the environment, and from .env in the working directory.`

/** The command `svc admin` and those below it. */
export function adminCommand(io: Io): Command {
  const key = new Command('key')
    .description('make a new owner key and print its token')
    .action((_options, command: Command) => makeOwnerKey(io, globalOptions(command)))
  const user = new Command('user')
    .description('print a link with which a person, new or known, sets a password')
    .argument('[email]', 'address of the person; the first user gives it on the page that the link opens')
    .action((email: string | undefined, _options, command: Command) =>
      makePersonLink(io, email, globalOptions(command)),
    )
  const plan = new Command('plan')
    .description('set what a team may use how much of')
    .argument('<team>', 'its slug or id')
    .addArgument(new Argument('<plan>').choices(['free', 'pro', 'enterprise']))
    .action((team: string, plan: TeamPlan['plan'], _options, command: Command) =>
      setTeamPlan(io, { team, plan }, globalOptions(command)),
    )
  const accept = new Command('accept')
    .description('say that it is right although it has jumped: what is past its time is removed again')
    .action((_options, command: Command) => acceptClock(io, globalOptions(command)))
  const clock = new Command('clock').description("the installation's clock").addCommand(accept)
  return new Command('admin')
    .description('administer the node on this machine')
    .addHelpText('afterAll', examples)
    .addCommand(key)
    .addCommand(user)
    .addCommand(plan)
    .addCommand(blobsCommand(io))
    .addCommand(clock)
}

async function makeOwnerKey(io: Io, { json }: GlobalOptions): Promise<void> {
  const { token, team } = await askOperator(io, 'createOwnerKey', {})
  warn(
    io,
    `A new owner key of team ${team}. It is shown only this once: keep it where nobody else can read it.`,
  )
  if (json) writeJson(io, { token })
  else write(io, token)
}

async function makePersonLink(io: Io, email: string | undefined, { json }: GlobalOptions): Promise<void> {
  const link = await askOperator(io, 'createPersonLink', email === undefined ? {} : { email })
  const until = new Date(link.expires_ms).toISOString()
  warn(
    io,
    `Whoever opens this link sets the password of ${email ?? 'the first user'}. It works once, until ${until}.`,
  )
  if (json) writeJson(io, link)
  else write(io, link.url)
}

async function setTeamPlan(io: Io, change: TeamPlan, { json }: GlobalOptions): Promise<void> {
  const { team, plan } = await askOperator(io, 'setPlan', change)
  if (json) writeJson(io, { team, plan })
  else write(io, `Team ${plain(team)} has the plan ${plan}.`)
}

async function acceptClock(io: Io, { json }: GlobalOptions): Promise<void> {
  const { now_ms: nowMs, seen_ms: seenMs } = await askOperator(io, 'acceptClock', {})
  const [now, seen] = [nowMs, seenMs].map((ms) => new Date(ms).toISOString())
  if (json) writeJson(io, { now_ms: nowMs, seen_ms: seenMs })
  else
    write(io, `It is ${now}, and was ${seen} when it was seen last. What is past its time is removed again.`)
}
