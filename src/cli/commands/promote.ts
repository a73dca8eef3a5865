/** `svc promote` and `svc rollback`: choose a project's production deployment. */
import { Command } from 'commander'
import { connect } from '../connection/connect.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { pickProject } from '../connection/pick-project.ts'
import { type Deployment, rollBack } from '../deploy/roll-back.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { projectOption } from '../options.ts'
import { write, writeJson } from '../terminal/output.ts'

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
      tell(io, options, await rollBack(api, name))
    })
}

function tell(io: Io, { json }: GlobalOptions, deployment: Deployment): void {
  const [address = deployment.url] = deployment.aliases
  if (json) writeJson(io, deployment)
  else write(io, `Live at ${address}: ${deployment.id}`)
}
