/** `svc projects set`: changes how a project is built, served and promoted. */
import { Command } from 'commander'
import type { RouterInputs } from '../../api/client/index.ts'
import { buildFacts, fieldFacts, repositoryFacts, runtimeFacts } from '../../platform/projects/field-facts.ts'
import type { FieldName } from '../../platform/projects/fields.ts'
import { usageFailure } from '../command-failure.ts'
import { connect } from '../connection/connect.ts'
import { withWayToCreate } from '../connection/missing-project.ts'
import { globalOptions, type Io } from '../io.ts'
import { optionsFor, settingsOf } from '../setting-options.ts'
import { write, writeJson } from '../terminal/output.ts'

type Changes = RouterInputs['projects']['put']
type Build = NonNullable<Changes['build']>
type Runtime = NonNullable<Changes['runtime']>
type Git = NonNullable<Changes['git']>

const ofRepository = { forks: repositoryFacts.forks }

const examples = `
Examples:
  $ svc projects set web --install-command "npm ci" --build-command "npm run build" --output-directory dist
  $ svc projects set web --build-command none
  $ svc projects set web --spa on --protection preview
  $ svc projects set api --start "node server.mjs" --health-path /health

Other settings keep their values; none restores the default.`

/** The command `svc projects set`. */
export function projectSettingsCommand(io: Io): Command {
  const command = new Command('set')
    .description('change how a project is built, served and promoted')
    .argument('<project>', 'its name or id')
    .addHelpText('after', examples)
    .action(async (reference: string, options: { productionBranch?: string }, command: Command) => {
      const changes = toChanges(options)
      if (Object.keys(changes).length === 0)
        throw usageFailure('Pass a setting: see svc projects set --help.')
      const shared = globalOptions(command)
      const { api } = connect(io, shared)
      // By id: a `PUT` by name would create a missing project.
      const { id } = await api.projects.get.query({ project: reference }).catch((error: unknown) => {
        throw withWayToCreate(error, reference)
      })
      const project = await api.projects.put.mutate({ project: id, ...changes })
      if (shared.json) writeJson(io, project)
      else write(io, `Changed project ${project.name}.`)
    })
  for (const option of optionsFor(buildFacts)) command.addOption(option)
  command.option('--production-branch <name>', 'whose pushes go to production; none: as the forge says')
  for (const option of optionsFor({ ...ofRepository, ...fieldFacts, ...runtimeFacts }))
    command.addOption(option)
  return command
}

function toChanges({ productionBranch, ...options }: { productionBranch?: string }) {
  const build = settingsOf<Build>(buildFacts, options)
  const runtime = settingsOf<Runtime>(runtimeFacts, options)
  const git = {
    ...(productionBranch !== undefined && {
      production_branch: productionBranch === 'none' ? null : productionBranch,
    }),
    ...settingsOf<Pick<Git, 'forks'>>(ofRepository, options),
  }
  return {
    ...(Object.keys(build).length > 0 && { build }),
    ...(Object.keys(runtime).length > 0 && { runtime }),
    ...(Object.keys(git).length > 0 && { git }),
    ...settingsOf<Pick<Changes, FieldName>>(fieldFacts, options),
  }
}
