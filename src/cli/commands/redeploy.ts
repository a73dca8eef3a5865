/** `svc redeploy`: deploys the sources of a deployment again. */
import { Command } from 'commander'
import { usageFailure } from '../command-failure.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { pickProject } from '../connection/pick-project.ts'
import { report } from '../deploy/report.ts'
import { globalOptions, type Io } from '../io.ts'
import { projectOption, targetOption } from '../options.ts'

type Options = { project?: string; target?: 'production' | 'preview'; wait: boolean }

const examples = `
The server keeps what each deployment was made of. Its sources are deployed with the project's settings and
variables of today, so that a change of a variable takes effect; branch, commit and the rest of meta stay.

Examples:
  $ svc redeploy
  $ svc redeploy dpl_... --target preview`

/** The command `svc redeploy`. */
export function redeployCommand(io: Io): Command {
  return new Command('redeploy')
    .description('deploy the sources of a deployment again, with the settings and variables of today')
    .argument('[deployment]', "its id (default: the project's live one)")
    .addOption(projectOption())
    .addOption(targetOption("production or preview (default: the deployment's)"))
    .option('--no-wait', 'do not wait for the build')
    .addHelpText('after', examples)
    .action(async (id: string | undefined, { project, target, wait }: Options, command: Command) => {
      const shared = globalOptions(command)
      const { api, linked } = connectLinked(io, shared, { project })
      const from =
        id === undefined
          ? await liveOf(await pickProject(api, project ?? linked?.project))
          : await api.deployments.get
              .query({ deployment: id })
              .then(({ id, project }) => ({ from: id, project }))
      const deployment = await api.deployments.create.mutate({ ...from, ...(target && { target }) })
      await report({ io, api }, shared, deployment, { wait })
    })
}

type Project = Awaited<ReturnType<typeof pickProject>>

async function liveOf({ name, production_deployment: live }: Project) {
  if (live !== null && live !== undefined) return { from: live, project: name }
  throw usageFailure(
    `${name} has no live deployment: pass the id of one, from \`svc deployments --project ${name}\`.`,
  )
}
