/** `svc deploy`: a directory becomes a site. */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { RouterOutputs } from '../../client/index.ts'
import { type Api, connect } from '../connection/connect.ts'
import { pickProject } from '../connection/pick-project.ts'
import { deploySite } from '../deploy/deploy-site.ts'
import { gitMeta } from '../deploy/git-meta.ts'
import { recall } from '../deploy/memory.ts'
import { createProgress } from '../deploy/progress.ts'
import { requireSite } from '../deploy/require-site.ts'
import { explain } from '../explain.ts'
import { Failure } from '../failure.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { projectOption } from '../options.ts'
import { confirm } from '../terminal/confirm.ts'
import { plain, warn, write, writeJson } from '../terminal/output.ts'
import { size } from '../terminal/shown.ts'

type Deployment = RouterOutputs['deployments']['create']
type Options = { project?: string; prod?: boolean; meta: Record<string, string>; wait: boolean }

const examples = `
Files that .svcignore names are left out, in the syntax of .gitignore; so are .git, node_modules and .env files.
Of a git checkout, branch, commit and message are noted in the deployment's meta.

Where the project has a build command, the files are built by the server; this waits for the end, and exits with 1 where
that is an error. Interrupted, or with --no-wait, the build goes on: \`svc deployments rm\` cancels it.

Examples:
  $ svc deploy dist --project web
  $ svc deploy dist --project web --prod
  $ svc deploy --meta ticket=1234 --json`

/** The command `svc deploy`. */
export function deployCommand(io: Io): Command {
  return new Command('deploy')
    .description('deploy the files of a directory')
    .argument('[directory]', 'where the site is', '.')
    .addOption(projectOption())
    .option('--prod', 'for production, not as a preview')
    .option('--meta <key=value>', 'a note of your own; may be given again', addMeta, {})
    .option('--no-wait', 'do not wait until it is built')
    .addHelpText('after', examples)
    .action(async (directory: string, options: Options, command: Command) => {
      const shared = globalOptions(command)
      const { api, deployment } = await deploy(io, shared, resolve(directory), options)
      const ended = options.wait ? await whenBuilt(io, shared, api, deployment) : deployment
      requireSite(ended)
      tell(io, shared, ended)
    })
}

async function deploy(io: Io, shared: GlobalOptions, directory: string, { project, prod, meta }: Options) {
  const { api, url } = connect(io, shared)
  const root = realpathIfAny(directory)
  const memory = recall(io.env, root, Date.now())
  const [name, noted] = await Promise.all([
    project ?? pickProject(api, undefined).then((only) => only.name),
    gitMeta(root),
  ])
  const progress = createProgress(io, shared.json === true)
  const deps = { api, destination: `${url} ${name}`, memory, progress, signal: io.signal }
  const site = {
    root,
    project: name,
    target: prod ? 'production' : 'preview',
    meta: { ...noted, ...meta },
  } as const
  try {
    const deployment = await deploySite(deps, site).catch(async (error: unknown) => {
      progress.end()
      await makeProject(io, api, name, error)
      return deploySite(deps, site)
    })
    return { api, deployment }
  } finally {
    progress.end()
  }
}

function realpathIfAny(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    // What is wrong with it is told by whoever reads it.
    return directory
  }
}

/** Tells of each state that a build comes to, and what it prints. */
async function whenBuilt(
  io: Io,
  { json }: GlobalOptions,
  api: Api,
  deployment: Deployment,
): Promise<Deployment> {
  if (deployment.state !== 'queued' && deployment.state !== 'building') return deployment
  // Only a project that builds needs it.
  const { followBuild } = await import('../logs/follow-build.ts')
  let told = ''
  const tellOnce = (line: string): void => {
    if (!json && line !== told) warn(io, line)
    told = line
  }
  const onLook = ({ id, state, queue_position: position }: Deployment): void =>
    tellOnce(position === null ? `${id}: ${state}…` : `${id}: ${state}, ${position - 1} before it…`)
  onLook(deployment)
  return followBuild({ api, signal: io.signal }, deployment.id, {
    onLook,
    write: ({ message }) => {
      if (!json) warn(io, plain(message))
    },
  })
}

/** Makes the project that was missing, if there is somebody to ask. @throws what was thrown, or how to make it, otherwise. */
async function makeProject(io: Io, api: Api, name: string, thrown: unknown): Promise<void> {
  const { body, exitCode } = explain(thrown)
  if (body.reason !== 'project_not_found') throw thrown
  if (!io.stdin.isTTY) {
    const message = `${body.message} \`svc projects add ${name}\` makes it.`
    throw new Failure(exitCode, { ...body, message }, thrown)
  }
  await confirm(io, `There is no project ${plain(name)}. Make it?`)
  await api.projects.put.mutate({ project: name })
}

/** For scripts, standard output is the address alone. */
function tell(io: Io, { json }: GlobalOptions, deployment: Deployment): void {
  if (json) {
    writeJson(io, deployment)
    return
  }
  const { id, state, live, url, aliases, files, bytes } = deployment
  const [address = url] = aliases
  const how = state === 'ready' ? (live ? 'live' : 'not live') : state
  warn(io, `${id}: ${files} ${files === 1 ? 'file' : 'files'}, ${size(bytes)}, ${how}.`)
  write(io, plain(address))
}

function addMeta(text: string, meta: Record<string, string>): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It should be key=value.')
  return { ...meta, [key]: value }
}
