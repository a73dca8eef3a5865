/** The tree of commands, one file each, and what all of them share. */
import { Command } from 'commander'
import { version } from '../version.ts'
import { adminCommand } from './commands/admin.ts'
import { completeCommand, completionCommand } from './commands/completion.ts'
import { deployCommand } from './commands/deploy.ts'
import { deploymentsCommand } from './commands/deployments.ts'
import { envCommand } from './commands/env.ts'
import { keysCommand } from './commands/keys.ts'
import { loginCommand } from './commands/login.ts'
import { logoutCommand } from './commands/logout.ts'
import { openCommand } from './commands/open.ts'
import { projectsCommand } from './commands/projects.ts'
import { promoteCommand, rollbackCommand } from './commands/promote.ts'
import { whoamiCommand } from './commands/whoami.ts'
import { exitCodesText } from './exit-codes.ts'
import type { Io } from './io.ts'

const about = `
Examples:
  $ svc login
  $ svc projects add web
  $ svc deploy dist --project web --prod
  $ svc deployments --project web --json
  $ svc rollback --project web

SVC_TOKEN and SVC_URL, where they are set, win over what \`svc login\` keeps.
${exitCodesText}`

/** In the order in which help lists them. */
const commands = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  deployCommand,
  projectsCommand,
  deploymentsCommand,
  promoteCommand,
  rollbackCommand,
  openCommand,
  envCommand,
  keysCommand,
  adminCommand,
  completionCommand,
]

/** The whole command line. Parsing throws CommanderError, also after it has printed help or the version. */
export function createProgram(io: Io): Command {
  const program = new Command('svc')
    .description('Deploy sites to a server of your own.')
    .version(version, '--version', 'print the version')
    .option('--url <address>', 'address of the server (default: SVC_URL, or the last one logged in to)')
    .option('--json', 'print JSON, errors too')
    .addHelpText('after', about)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // Errors are thrown, and told in one place.
      outputError: () => {},
    })
    .exitOverride()
  for (const make of commands) program.addCommand(make(io))
  program.addCommand(completeCommand(io), { hidden: true })
  inherit(program)
  return program
}

function inherit(parent: Command): void {
  for (const child of parent.commands) {
    child.copyInheritedSettings(parent)
    inherit(child)
  }
}
