/** `svc projects`: the team's projects. */
import { Command } from 'commander'
import type { RouterOutputs } from '../../api/client/index.ts'
import { buildFacts, fieldFacts, repositoryFacts, runtimeFacts } from '../../platform/projects/field-facts.ts'
import { connect } from '../connection/connect.ts'
import { everyPage, firstRows } from '../connection/every-page.ts'
import { globalOptions, type Io } from '../io.ts'
import { linesOf } from '../project-fields.ts'
import { confirm } from '../terminal/confirm.ts'
import { age } from '../terminal/format.ts'
import { write, writeFields, writeJson, writeTable } from '../terminal/output.ts'
import { bypassCommand } from './project-bypass.ts'
import { passwordCommand } from './project-password.ts'
import { projectSettingsCommand } from './project-settings.ts'

type Project = RouterOutputs['projects']['get']

const examples = `
Examples:
  $ svc projects
  $ svc projects add web
  $ svc projects show web --json
  $ svc projects set web --build-command "npm run build" --output-directory dist
  $ svc projects rename web shop
  $ svc projects rm shop`

/** The command `svc projects` and its subcommands. */
export function projectsCommand(io: Io): Command {
  return new Command('projects')
    .description('list projects; show, add, change, rename or remove one')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('ls')
        .description('list projects (also without ls)')
        .action((_options, command: Command) => list(io, command)),
      { isDefault: true },
    )
    .addCommand(
      new Command('show')
        .description('show a project')
        .argument('<project>', 'its name or id')
        .action((project: string, _options, command: Command) => show(io, project, command)),
    )
    .addCommand(
      new Command('add')
        .description('create a project, or keep an existing one of this name')
        .argument('<name>', 'a DNS label: a-z, 0-9 and - inside')
        .action((name: string, _options, command: Command) => add(io, name, command)),
    )
    .addCommand(projectSettingsCommand(io))
    .addCommand(bypassCommand(io))
    .addCommand(passwordCommand(io))
    .addCommand(
      new Command('rename')
        .description('rename a project; its URLs stay')
        .argument('<project>', 'its name or id')
        .argument('<name>', 'the new name')
        .action((project: string, name: string, _options, command: Command) =>
          rename(io, project, name, command),
        ),
    )
    .addCommand(
      new Command('rm')
        .description('delete a project with its deployments')
        .argument('<project>', 'its name or id')
        .option('--yes', 'skip the confirmation')
        .action((project: string, options: { yes?: boolean }, command: Command) =>
          remove(io, project, options, command),
        ),
    )
}

async function list(io: Io, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const pages = everyPage((cursor) => api.projects.list.query({ limit: 100, ...cursor }))
  const projects = await firstRows(pages)
  if (options.json) return writeJson(io, projects)
  const nowMs = Date.now()
  writeTable(
    io,
    ['NAME', 'URL', 'LIVE', 'CHANGED'],
    projects.map((project) => [
      project.name,
      project.production_url,
      project.production_deployment ?? '-',
      age(project.updated_ms, nowMs),
    ]),
    'No projects yet: `svc projects add <name>` creates one.',
  )
}

async function show(io: Io, reference: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const project = await api.projects.get.query({ project: reference })
  if (options.json) return writeJson(io, project)
  writeFields(io, [
    ['name', project.name],
    ['id', project.id],
    ['url', project.production_url],
    ['live', project.production_deployment ?? 'nothing yet'],
    ...linesOf(buildFacts, project.build),
    ['bypass', project.bypass_set ? 'a secret is set' : 'no secret'],
    ['password', project.password_set ? 'set' : 'none'],
    ...linesOf(fieldFacts, project),
    // Servers of earlier versions have none.
    ...linesOf(runtimeFacts, project.runtime ?? {}),
    ['production branch', productionBranch(project.git)],
    ...fieldsOfRepository(project.git),
    ['env', [...new Set(project.env.map(({ key }) => key))].join(', ') || 'none'],
    ['created', new Date(project.created_ms).toISOString()],
    ...(project.branches ?? []).map(({ name, url }): [string, string] => ['branch', `${name} ${url}`]),
  ])
}

function fieldsOfRepository(git: RouterOutputs['projects']['get']['git']): [string, string][] {
  if (git.url === null) return []
  const directory = git.root_directory === null ? '' : `, its directory ${git.root_directory}`
  return [
    ['repository', `${git.url}${directory}`],
    // Servers of earlier versions don't say.
    ...(git.connected_by ? [['connected by', connector(git)] satisfies [string, string]] : []),
    ...linesOf(repositoryFacts, git),
    ['hook', `${git.hook_url}${git.secret_set ? '' : ' (no secret is set: nothing is taken)'}`],
  ]
}

function connector({ connected_by_name: name, connected_by_role: role, connected_by: id }: Project['git']) {
  const who = name ?? id ?? 'somebody'
  if (role === 'owner') return who
  return `${who}, who ${role === null ? 'has left the team' : 'is no owner any more'}: it goes on`
}

async function add(io: Io, name: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  tell(io, options, await api.projects.put.mutate({ project: name }))
}

async function rename(io: Io, reference: string, name: string, command: Command): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  // By id: a `PUT` by name would create a missing project.
  const { id } = await api.projects.get.query({ project: reference })
  tell(io, options, await api.projects.put.mutate({ project: id, name }))
}

async function remove(
  io: Io,
  reference: string,
  { yes }: { yes?: boolean },
  command: Command,
): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const { id, name } = await api.projects.get.query({ project: reference })
  if (!yes) await confirm(io, `Delete project ${name} with all its deployments?`)
  const deleted = await api.projects.delete.mutate({ project: id })
  if (options.json) return writeJson(io, deleted)
  write(io, `Deleted project ${name}.`)
}

function tell(io: Io, { json }: { json?: boolean }, project: Project): void {
  if (json) writeJson(io, project)
  else write(io, `Project ${project.name}: ${project.production_url}`)
}

function productionBranch({ url, production_branch: branch, production_branch_by: by }: Project['git']) {
  if (branch !== null) return by === 'forge' ? `${branch}, as the repository says` : branch
  return url === null ? 'main, or the first that is pushed' : 'the default branch of the repository'
}
