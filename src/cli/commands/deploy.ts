/** `svc deploy`: deploys a directory, or an archive of one. */
import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { isArchive } from '../archives/is-archive.ts'
import { connectTo } from '../connection/connect-linked.ts'
import { deploySite } from '../deploy/deploy-site.ts'
import { type Destination, findDestination, findLink } from '../deploy/destination.ts'
import { recall } from '../deploy/last-deployment.ts'
import { createProject, prepareProject } from '../deploy/prepare-project.ts'
import { prepareSources } from '../deploy/prepare-sources.ts'
import { createProgress } from '../deploy/progress.ts'
import { report } from '../deploy/report.ts'
import { sourceMeta } from '../deploy/source-meta.ts'
import { requireDirectory, walkSite } from '../deploy/walk-site.ts'
import { explain } from '../explain.ts'
import { type ChoiceFlags, choiceOf } from '../frameworks/choose.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { projectFileName } from '../project-file/project-file.ts'
import { writeLink } from '../project-file/write-project-file.ts'
import { warn } from '../terminal/output.ts'

type Options = ChoiceFlags & {
  project?: string
  prod?: boolean
  meta: Record<string, string>
  wait: boolean
}

const examples = `
The project, its settings and the directory to send are read from svc.json, in the directory or above it;
the first deployment writes it. A project that is missing is created.

Sources of a known framework, such as Vite or Astro, are not sent by mistake: --build builds them here and
deploys the output, --remote has the server build them, --as-is sends them. The choice is kept in svc.json.

Files that .svcignore names are left out, in the syntax of .gitignore; so are .git, node_modules, .env
files, and links to them. Branch, commit, message, author and repository of a git checkout, and in CI the
pull request, are recorded in the deployment's meta.

If the project has a build command, the server builds the files; this waits for the result, and exits with
1 on an error. If interrupted, or with --no-wait, the build continues: \`svc deployments rm\` cancels it.

Examples:
  $ svc deploy dist --project web
  $ svc deploy --prod
  $ svc deploy site.zip --project web
  $ svc deploy --meta ticket=1234 --json`

/** The command `svc deploy`. */
export function deployCommand(io: Io): Command {
  return new Command('deploy')
    .description('deploy the files of a directory, or of a zip or tar.gz')
    .argument(
      '[directory]',
      'where the site is, or its archive (default: what svc.json says, or the working directory)',
    )
    .option('--project <name>', "the project's name or id (default: the one in svc.json)")
    .option('--prod', 'deploy to production instead of a preview')
    .addOption(new Option('--build', 'build here, and deploy the output').conflicts(['remote', 'asIs']))
    .addOption(new Option('--remote', 'have the server build').conflicts(['build', 'asIs']))
    .addOption(new Option('--as-is', 'deploy the directory as it is').conflicts(['build', 'remote']))
    .option('--meta <key=value>', "an entry of the deployment's meta; repeatable", addMeta, {})
    .option('--no-wait', 'do not wait for the build')
    .addHelpText('after', examples)
    .action(async (directory: string | undefined, options: Options, command: Command) => {
      const shared = globalOptions(command)
      const { api, deployment } = await deployWhatIsThere(io, shared, directory, options)
      await report({ io, api }, shared, deployment, options)
    })
}

/** Deploys a directory, or an archive of one from where it is unpacked. */
async function deployWhatIsThere(
  io: Io,
  shared: GlobalOptions,
  directory: string | undefined,
  options: Options,
) {
  if (directory === undefined || !isArchive(directory)) {
    return deploy(io, shared, { directory, archive: undefined }, options)
  }
  // Loaded on demand: most deployments are of directories.
  const { unpack } = await import('../archives/unpack.ts')
  const archive = resolve(directory)
  const unpacked = await unpack(archive, createProgress(io, shared.json === true), io.signal)
  try {
    return await deploy(io, shared, { directory: unpacked.root, archive }, options)
  } finally {
    unpacked.remove()
  }
}

/** The source of a deployment; from an archive, `directory` is where that was unpacked. */
type Origin = { directory: string | undefined; archive: string | undefined }

async function deploy(
  io: Io,
  shared: GlobalOptions,
  { directory, archive }: Origin,
  { project, prod = false, meta, ...flags }: Options,
) {
  const cwd = process.cwd()
  // Before anything is asked or created.
  if (directory !== undefined) requireDirectory(resolve(cwd, directory))
  const linked = findLink(cwd, archive === undefined ? directory : dirname(archive))
  const { api, url, peer } = connectTo(io, shared, linked)
  const { link: place, ...rest } = await findDestination({ io, api }, linked, {
    cwd,
    directory,
    project,
    prod,
  })
  // Nothing is deployed again from where an archive was unpacked.
  const found = place && archive === undefined ? { ...rest, link: place } : rest
  const destination = await prepareSources({ io, api }, found, choiceOf(flags))
  const { root, settings, link } = destination
  requireDirectory(root)
  if (linked && directory === undefined && linked.folder !== realpathSync.native(cwd)) {
    warn(io, `Deploying ${root}, as ${linked.path} says.`)
  }
  // A directory that can't be deployed creates nothing.
  const files = await walkSite(root, io.signal)
  // The call that deploys reports a missing project, too: as a rule this one would only cost time.
  const needsProject = link?.isNew || Object.keys(settings).length > 0
  if (needsProject) await prepareProject({ io, api }, destination.project, settings)
  const noted = sourceMeta(archive === undefined ? root : dirname(archive), io.env, (problem) =>
    warn(io, problem),
  )
  const progress = createProgress(io, shared.json === true)
  const deps = {
    api,
    env: io.env,
    server: { url, peer },
    destination: `${url} ${destination.project}`,
    memory: recall(io.env, archive ?? root, Date.now()),
    progress,
    signal: io.signal,
    note: (sentence: string) => warn(io, sentence),
  }
  const site = {
    files,
    project: destination.project,
    target: prod ? 'production' : 'preview',
    meta: { ...noted, ...meta },
  } as const
  try {
    const deployment = await deploySite(deps, site).catch(async (error: unknown) => {
      progress.end()
      if (explain(error).body.reason !== 'project_not_found') throw error
      await createProject({ io, api }, destination.project, {})
      return deploySite(deps, site)
    })
    if (destination.link?.isNew || destination !== found) keepLink(io, url, destination)
    return { api, deployment }
  } finally {
    progress.end()
  }
}

/**
 * Writes `svc.json` after the first deployment from a directory, or where what becomes of its sources was
 * chosen.
 */
function keepLink(io: Io, server: string, { project, link }: Destination): void {
  if (!link) return
  try {
    const { path, isNew, ...kept } = link
    writeLink(path, { project, server, ...kept })
    if (isNew) warn(io, `Wrote ${projectFileName}: from now on this directory is deployed to ${project}.`)
  } catch (error) {
    // The deployment is there all the same.
    warn(
      io,
      `${projectFileName} could not be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function addMeta(text: string, meta: Record<string, string>): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It should be key=value.')
  return { ...meta, [key]: value }
}
