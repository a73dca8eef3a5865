/** `svc projects set`: changes how a project is built, served and promoted. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { RouterInputs } from '../../api/client/index.ts'
import type { FieldFacts } from '../../platform/projects/describe-fields.ts'
import { mapRows, namesOf } from '../../platform/projects/field.ts'
import { fieldFacts } from '../../platform/projects/field-facts.ts'
import type { FieldName } from '../../platform/projects/fields.ts'
import { usageFailure } from '../command-failure.ts'
import { connect } from '../connection/connect.ts'
import { type Forks, forksOf, forksOption } from '../git/forks-option.ts'
import { globalOptions, type Io } from '../io.ts'
import { type FieldChanges, isValueOf } from '../project-fields.ts'
import { write, writeJson } from '../terminal/output.ts'

type Changes = RouterInputs['projects']['put']
type Build = NonNullable<Changes['build']>

const examples = `
Examples:
  $ svc projects set web --install-command "npm ci" --build-command "npm run build" --output-directory dist
  $ svc projects set web --build-command none
  $ svc projects set web --spa on --protection preview

Other settings keep their values; none restores the default.`

type Options = {
  installCommand?: string
  buildCommand?: string
  outputDirectory?: string
  rootDirectory?: string
  productionBranch?: string
  forks?: Forks
}

/** The command `svc projects set`. */
export function projectSettingsCommand(io: Io): Command {
  const command = new Command('set')
    .description('change how a project is built, served and promoted')
    .argument('<project>', 'its name or id')
    .option('--install-command <command>', 'runs first in a build')
    .option('--build-command <command>', 'builds the site')
    .option('--output-directory <path>', 'the directory with the built site')
    .option('--root-directory <path>', 'the directory in which the commands run')
    .option('--production-branch <name>', 'whose pushes go to production; none: as the forge says')
    .addOption(forksOption())
    .addHelpText('after', examples)
    .action(async (reference: string, options: Options, command: Command) => {
      const changes = toChanges(options)
      if (Object.keys(changes).length === 0)
        throw usageFailure('Pass a setting: see svc projects set --help.')
      const shared = globalOptions(command)
      const { api } = connect(io, shared)
      // By id: a `PUT` by name would create a missing project.
      const { id } = await api.projects.get.query({ project: reference })
      const project = await api.projects.put.mutate({ project: id, ...changes })
      if (shared.json) writeJson(io, project)
      else write(io, `Changed project ${project.name}.`)
    })
  for (const option of Object.values(fieldOptions)) command.addOption(option)
  return command
}

const fieldOptions = mapRows(fieldFacts, optionOf)

function optionOf({ option: [flags, says], takes }: FieldFacts): Option {
  const option = new Option(flags, says)
  if (takes === 'switch') return option.argParser(parseSwitch)
  if (takes === 'number') return option.argParser(parseNumber)
  return takes === 'text' ? option : option.choices(takes)
}

function toChanges(options: Options) {
  const build: Build = {
    ...(options.installCommand !== undefined && { install_command: orNull(options.installCommand) }),
    ...(options.buildCommand !== undefined && { build_command: orNull(options.buildCommand) }),
    ...(options.outputDirectory !== undefined && { output_directory: orNull(options.outputDirectory) }),
    ...(options.rootDirectory !== undefined && { root_directory: orNull(options.rootDirectory) }),
  }
  const git = {
    ...(options.productionBranch !== undefined && {
      production_branch: orNull(options.productionBranch),
    }),
    ...forksOf(options),
  }
  return {
    ...(Object.keys(build).length > 0 && { build }),
    ...(Object.keys(git).length > 0 && { git }),
    ...fieldsOf(options),
  }
}

function fieldsOf(options: Record<string, unknown>): FieldChanges {
  const changes: FieldChanges = {}
  const take = <Name extends FieldName>(name: Name) => {
    const value = options[fieldOptions[name].attributeName()]
    const isWord = Array.isArray(fieldFacts[name].takes)
    if (value === 'none' && !isWord) changes[name] = null
    else if (isValueOf(name, value)) changes[name] = value
  }
  for (const name of namesOf(fieldOptions)) take(name)
  return changes
}

function orNull(text: string): string | null {
  return text === 'none' ? null : text
}

function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('It should be on or off.')
}

/** Commander takes null for an option without a value. */
function parseNumber(text: string): number | 'none' {
  if (text === 'none') return text
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It should be a number, or none.')
}
