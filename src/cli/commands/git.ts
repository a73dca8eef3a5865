/** `svc git`: a repository that is deployed by `git push`. */
import { Command, Option } from 'commander'
import { usageFailure } from '../command-failure.ts'
import { pickTeam } from '../connection/pick-team.ts'
import { reachOrName } from '../git/reach-project.ts'
import { gitIn } from '../git/run-git.ts'
import { findsCommand, setRemote, useCredentialHelper } from '../git/set-remote.ts'
import { globalOptions, type Io } from '../io.ts'
import { projectOption } from '../options.ts'
import { warn, write, writeJson } from '../terminal/output.ts'
import { gitConnectCommand, gitDisconnectCommand, gitRegisterCommand } from './git-connect.ts'
import { gitApproveCommand, gitDeliveriesCommand, gitRetryCommand } from './git-deliveries.ts'

const examples = `
Examples:
  $ svc git remote
  $ svc git remote --project web --name production
  $ git push svc main
  $ svc git connect https://github.com/acme/web

The remote's address has no password: git asks \`svc git-credential\` for it, as \`svc git remote\` configures
it in this repository. So \`svc\` has to be on your PATH when you push.`

type RemoteOptions = { project?: string; name: string; force?: boolean }

/** The command `svc git` and its subcommands. */
export function gitCommand(io: Io): Command {
  return new Command('git')
    .description('deploy by git push, here or at a forge')
    .addHelpText('afterAll', examples)
    .addCommand(
      new Command('remote')
        .description("add a project as a remote of the working directory's git repository")
        .addOption(projectOption())
        .addOption(new Option('--name <remote>', 'the name of the remote').default('svc').argParser(word))
        .option('--force', 'change the address of a remote that exists')
        .action((options: RemoteOptions, command: Command) => addRemote(io, options, command)),
    )
    .addCommand(gitConnectCommand(io))
    .addCommand(gitRegisterCommand(io))
    .addCommand(gitDisconnectCommand(io))
    .addCommand(gitDeliveriesCommand(io))
    .addCommand(gitRetryCommand(io))
    .addCommand(gitApproveCommand(io))
}

async function addRemote(
  io: Io,
  { name, force = false, ...options }: RemoteOptions,
  command: Command,
): Promise<void> {
  const git = await gitIn(io, process.cwd())
  const { api, url: server, project, name: ofProject } = await reachOrName(io, options, command)
  const team = await pickTeam(api, undefined)
  const path = [team.slug, ofProject].map(encodeURIComponent).join('/')
  const remote = { name, url: `${server}/git/${path}.git` }
  const change = await setRemote(git, remote, force)
  await useCredentialHelper(git, server)
  if (globalOptions(command).json) return writeJson(io, remote)
  const said = {
    added: 'Added the remote',
    changed: 'Changed the remote',
    kept: 'There is already the remote',
  }
  write(io, `${said[change]} ${name}: ${remote.url}`)
  const makes = project ? '' : `, which makes the project ${ofProject}`
  write(io, `Deploy with: git push ${name} main${makes}`)
  if (!(await findsCommand(git)))
    warn(io, `Git finds no \`svc\` on your PATH, which it asks for the key: npm install -g ${server}/svc.tgz`)
}

/** Git takes names that a command line takes for options, or several words. */
function word(text: string): string {
  if (/^\w[\w.-]*$/.test(text)) return text
  throw usageFailure('The name of a remote is a word, such as svc.')
}
