/** `svc git deliveries`, `retry` and `approve`: what the forge sent, and what is to become of it. */
import { Command } from 'commander'
import type { RouterOutputs } from '../../api/client/index.ts'
import { Failure, usageFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { type ProjectOptions, reachProject } from '../git/reach-project.ts'
import { globalOptions, type Io } from '../io.ts'
import { projectOption } from '../options.ts'
import { confirm } from '../terminal/confirm.ts'
import { age, count, shortTime } from '../terminal/format.ts'
import { warn, write, writeJson, writeTable } from '../terminal/output.ts'

/** The command `svc git deliveries`. */
export function gitDeliveriesCommand(io: Io): Command {
  return new Command('deliveries')
    .description('list what the forge sent, and what came of it, newest first')
    .addOption(projectOption())
    .action(async (options: ProjectOptions, command: Command) => {
      const { api, project } = await reachProject(io, options, command)
      const { data, refused } = await api.git.deliveries.query({ project: project.id })
      const nowMs = Date.now()
      for (const refusal of refused) warn(io, refusedLine(refusal, nowMs))
      if (globalOptions(command).json) return writeJson(io, data)
      writeTable(
        io,
        ['AGE', 'EVENT', 'BRANCH', 'COMMIT', 'STATUS', 'DEPLOYMENT', 'OUTCOME', 'ID'],
        data.map((delivery) => [
          age(delivery.received_ms, nowMs),
          delivery.event,
          placeOf(delivery),
          delivery.commit?.slice(0, 10) ?? '-',
          delivery.status,
          delivery.deployment ?? '-',
          outcomeOf(delivery),
          delivery.id,
        ]),
        `Nothing was sent to ${project.name} yet.`,
      )
    })
}

type Delivery = RouterOutputs['git']['deliveries']['data'][number]

type Refusal = RouterOutputs['git']['deliveries']['refused'][number]

function refusedLine({ count: refused, since_ms, why }: Refusal, nowMs: number): string {
  return `${count(refused)} refused since ${shortTime(since_ms, nowMs)}: ${why}.`
}

/** The branch and the pull request of a delivery; one of a fork has the number of its pull request alone. */
function placeOf({ branch, pull_request: number }: Delivery): string {
  const pullRequest = number === null ? [] : [`#${number}`]
  return [...(branch === null ? [] : [branch]), ...pullRequest].join(' ') || '-'
}

function outcomeOf({ outcome, report_problem }: Delivery): string {
  if (report_problem === null) return outcome ?? '-'
  return `${outcome ?? ''} The forge was not reported to: ${report_problem}`.trim()
}

const retryExamples = `
Examples:
  $ svc git retry fdl_...
  $ svc git retry fdl_... --project web

\`svc git deliveries\` lists the ids, in its last column. What failed is tried again as it was sent, in the
name of whoever connected the repository, unless something newer of its branch is there already.`

/** The command `svc git retry`. */
export function gitRetryCommand(io: Io): Command {
  return new Command('retry')
    .description('try something again that the forge sent, and that failed')
    .argument('<delivery>', 'its id')
    .addOption(projectOption())
    .addHelpText('after', retryExamples)
    .action(async (delivery: string, options: ProjectOptions, command: Command) => {
      const { api, project } = await reachProject(io, options, command)
      const queued = await api.git.retry.mutate({ project: project.id, delivery })
      if (globalOptions(command).json) return writeJson(io, queued)
      write(io, `${queued.id} is tried again: \`svc git deliveries\` lists what comes of it.`)
    })
}

const approveExamples = `
Examples:
  $ svc git approve 6dcb09b5b57875f334f61aebed695e2e4193db5e
  $ svc git approve 6dcb09b5b57875f334f61aebed695e2e4193db5e --project web --yes

Look at the changes of that commit at the forge first. It is built without the project's variables, and what
comes of it is a protected preview, as you. A later commit of the pull request waits again.`

/** The command `svc git approve`. */
export function gitApproveCommand(io: Io): Command {
  return new Command('approve')
    .description('deploy a commit of a pull request of a fork, which waits for that; for owners')
    .argument('<commit>', 'the whole id of the commit that you looked at')
    .addOption(projectOption())
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', approveExamples)
    .action((commit: string, options: ApproveOptions, command: Command) =>
      approve(io, commit, options, command),
    )
}

type ApproveOptions = ProjectOptions & { yes?: boolean }

/** A part of an id would do for another commit, too, whose id somebody has searched for. */
const wholeId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

async function approve(io: Io, commit: string, options: ApproveOptions, command: Command): Promise<void> {
  if (!wholeId.test(commit)) throw usageFailure('The commit is a whole id, of 40 or 64 hexadecimal digits.')
  const { api, project } = await reachProject(io, options, command)
  const { data } = await api.git.deliveries.query({ project: project.id })
  const ofCommit = data.filter((each) => each.commit === commit)
  const waiting = ofCommit.find(({ status, approved_by }) => status === 'waiting' || approved_by !== null)
  if (!waiting) {
    throw new Failure(exitCodes.notFound, {
      reason: 'delivery_not_found',
      message: `No such commit waits in ${project.name}: \`svc git deliveries\` lists what does.`,
    })
  }
  const which = `${commit.slice(0, 10)} of pull request ${waiting.pull_request}`
  if (!options.yes) await confirm(io, `Build and deploy ${which}, by somebody outside the team?`)
  const approved = await api.git.approve.mutate({ project: project.id, delivery: waiting.id, commit })
  if (globalOptions(command).json) return writeJson(io, approved)
  write(io, `Approved ${which}: \`svc git deliveries\` lists what comes of it.`)
}
