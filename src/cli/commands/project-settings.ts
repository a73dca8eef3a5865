/** `svc projects set`: changes how a project is built, served and promoted. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { RouterInputs } from '../../api/client/index.ts'
import { connect } from '../connection/connect.ts'
import { usageFailure } from '../failure.ts'
import { type Forks, forksOf, forksOption } from '../git/forks-option.ts'
import { globalOptions, type Io } from '../io.ts'
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
  spa?: boolean
  hsts?: boolean
  branchAddresses?: boolean
  productionBranch?: string
  forks?: Forks
  autoPromote?: boolean
  protection?: 'none' | 'preview' | 'all'
  previewTtlDays?: number | null
}

/** The command `svc projects set`. */
export function projectSettingsCommand(io: Io): Command {
  const onOff = (flags: string, what: string) => new Option(flags, what).argParser(parseSwitch)
  return new Command('set')
    .description('change how a project is built, served and promoted')
    .argument('<project>', 'its name or id')
    .option('--install-command <command>', 'runs first in a build')
    .option('--build-command <command>', 'builds the site')
    .option('--output-directory <path>', 'the directory with the built site')
    .option('--root-directory <path>', 'the directory in which the commands run')
    .addOption(onOff('--spa <on|off>', 'serve index.html for unknown paths'))
    .addOption(onOff('--hsts <on|off>', 'tell browsers to use HTTPS alone for a year'))
    .addOption(onOff('--branch-addresses <on|off>', 'give each branch an address'))
    .option('--production-branch <name>', 'whose pushes go to production; none: as the forge says')
    .addOption(forksOption())
    .addOption(onOff('--auto-promote <on|off>', 'make production deployments live automatically'))
    .addOption(
      new Option('--protection <which>', 'which deployments require a credential').choices([
        'none',
        'preview',
        'all',
      ]),
    )
    .option('--preview-ttl-days <days>', 'delete older previews', parseDays)
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
}

function toChanges(given: Options) {
  const { spa, hsts, branchAddresses, autoPromote, protection, previewTtlDays, ...options } = given
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
    ...(spa !== undefined && { spa }),
    ...(hsts !== undefined && { hsts }),
    ...(branchAddresses !== undefined && { branch_addresses: branchAddresses }),
    ...(Object.keys(git).length > 0 && { git }),
    ...(autoPromote !== undefined && { auto_promote: autoPromote }),
    ...(protection !== undefined && { protection }),
    ...(previewTtlDays !== undefined && { preview_ttl_days: previewTtlDays }),
  }
}

function orNull(text: string): string | null {
  return text === 'none' ? null : text
}

function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('It should be on or off.')
}

function parseDays(text: string): number | null {
  if (text === 'none') return null
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It should be a number of days, or none.')
}
