/** `svc deploy`: deploys a directory, or an archive of one. */
import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Sources } from '../../lib/frameworks/recognize.ts'
import { isArchive } from '../archives/is-archive.ts'
import { deployDirectory } from '../deploy/deploy-directory.ts'
import { createProgress } from '../deploy/progress.ts'
import { report } from '../deploy/report.ts'
import { askChoice, type ChoiceFlags, choiceOf } from '../frameworks/choose.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'

type Options = ChoiceFlags & {
  project?: string
  team?: string
  prod?: boolean
  meta: Record<string, string>
  wait: boolean
}

const examples = `
The project, its settings and the directory to send are read from svc.json, in the directory or above it;
the first deployment writes it. A project that is missing is created.

Sources of a known framework, such as Vite or Astro, are not sent by mistake: --build builds them here and
deploys the output, --remote has the server build them, --as-is sends them. The choice is kept in svc.json.

Sources of a server, such as Express or Hono, are sent, installed and started: by the Procfile, by the script
start of package.json, or by the file that npm init names. The command is kept in svc.json, as start.

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
    .option('--team <team>', 'the team, for the identity token of a job in CI (default: SVC_TEAM)')
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
  const { project, team, prod = false, meta, ...flags } = options
  const request = {
    cwd: process.cwd(),
    ...{ directory, project, team, prod, meta },
    choice: choiceOf(flags),
    askChoice: (sources: Sources) => askChoice(io, sources),
  }
  if (directory === undefined || !isArchive(directory)) return deployDirectory(io, shared, request)
  // Loaded on demand: most deployments are of directories.
  const { unpack } = await import('../archives/unpack.ts')
  const archive = resolve(directory)
  const unpacked = await unpack(archive, createProgress(io, shared.json === true), io.signal)
  try {
    return await deployDirectory(io, shared, { ...request, directory: unpacked.root, archive })
  } finally {
    unpacked.remove()
  }
}

function addMeta(text: string, meta: Record<string, string>): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It should be key=value.')
  return { ...meta, [key]: value }
}
