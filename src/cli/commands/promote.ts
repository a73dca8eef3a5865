/** `svc promote` and `svc rollback`: choose a project's production deployment. */
import { Command } from 'commander'
import type { RouterOutputs } from '../../api/client/index.ts'
import { Failure } from '../command-failure.ts'
import { connect } from '../connection/connect.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { everyPage } from '../connection/every-page.ts'
import { pickProject } from '../connection/pick-project.ts'
import { exitCodes } from '../exit-codes.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { projectOption } from '../options.ts'
import { write, writeJson } from '../terminal/output.ts'

type Deployment = RouterOutputs['deployments']['get']

const promoteExamples = `
Examples:
  $ svc promote dpl_...`

/** The command `svc promote`. */
export function promoteCommand(io: Io): Command {
  return new Command('promote')
    .description('make a deployment live')
    .argument('<deployment>', 'its id')
    .addHelpText('after', promoteExamples)
    .action(async (id: string, _options, command: Command) => {
      const options = globalOptions(command)
      const { api } = connect(io, options)
      tell(io, options, await api.deployments.promote.mutate({ deployment: id }))
    })
}

const rollbackExamples = `
Examples:
  $ svc rollback
  $ svc rollback --project web`

/** The command `svc rollback`. */
export function rollbackCommand(io: Io): Command {
  return new Command('rollback')
    .description('make the deployment live again that was live before')
    .addOption(projectOption())
    .addHelpText('after', rollbackExamples)
    .action(async ({ project }: { project?: string }, command: Command) => {
      const options = globalOptions(command)
      const { api, linked } = connectLinked(io, options)
      const { name } = await pickProject(api, project ?? linked?.project)
      const candidate = await lastBefore(
        everyPage((cursor) =>
          api.deployments.list.query({ project: name, state: 'ready', limit: 100, ...cursor }),
        ),
      )
      if (!candidate) {
        throw new Failure(exitCodes.conflict, {
          reason: 'no_rollback',
          message:
            `${name} has no earlier deployment that was live. ` +
            '`svc promote <deployment>` makes any other live.',
        })
      }
      tell(io, options, await api.deployments.promote.mutate({ deployment: candidate.id }))
    })
}

/**
 * The rollback candidate that was live last, of those that are older than the live deployment: what was
 * rolled back from stays away, however often that is repeated. `deployments` come in the order of their
 * creation, newest first.
 */
async function lastBefore(deployments: AsyncIterable<Deployment>): Promise<Deployment | undefined> {
  let last: Deployment | undefined
  for await (const each of deployments) {
    if (each.live) last = undefined
    else if (each.rollback_candidate && (each.live_since_ms ?? 0) > (last?.live_since_ms ?? 0)) last = each
  }
  return last
}

function tell(io: Io, { json }: GlobalOptions, deployment: Deployment): void {
  const [address = deployment.url] = deployment.aliases
  if (json) writeJson(io, deployment)
  else write(io, `Live at ${address}: ${deployment.id}`)
}
