/** The command tree, one file per command, and what all commands share. */
import { Command } from 'commander'
import { version } from '../lib/version.ts'
import { exitCodesText } from './exit-codes.ts'
import type { Io } from './io.ts'
import { linesOf } from './terminal/output.ts'

const about = `
Examples:
  $ svc login
  $ svc projects add web
  $ svc deploy dist --project web --prod
  $ svc link web --directory dist
  $ svc deployments --project web --json
  $ svc rollback --project web

SVC_TOKEN and SVC_URL, if set, take precedence over what \`svc login\` stored. A job in
CI that has an identity token needs SVC_URL and SVC_TEAM, but no key. HTTPS_PROXY and HTTP_PROXY name the
proxy to servers elsewhere, NO_PROXY those that are reached without it.
${exitCodesText}`

type MakeCommand = (io: Io) => Command

/** In the order of help; loaded on demand, since most runs need one. */
const commands = new Map<string, () => Promise<MakeCommand>>([
  ['login', async () => (await import('./commands/login.ts')).loginCommand],
  ['logout', async () => (await import('./commands/logout.ts')).logoutCommand],
  ['whoami', async () => (await import('./commands/whoami.ts')).whoamiCommand],
  ['status', async () => (await import('./commands/status.ts')).statusCommand],
  ['deploy', async () => (await import('./commands/deploy.ts')).deployCommand],
  ['link', async () => (await import('./commands/link.ts')).linkCommand],
  ['unlink', async () => (await import('./commands/link.ts')).unlinkCommand],
  ['git', async () => (await import('./commands/git.ts')).gitCommand],
  ['git-credential', async () => (await import('./commands/git-credential.ts')).gitCredentialCommand],
  ['projects', async () => (await import('./commands/projects.ts')).projectsCommand],
  ['deployments', async () => (await import('./commands/deployments.ts')).deploymentsCommand],
  ['promote', async () => (await import('./commands/promote.ts')).promoteCommand],
  ['redeploy', async () => (await import('./commands/redeploy.ts')).redeployCommand],
  ['rollback', async () => (await import('./commands/promote.ts')).rollbackCommand],
  ['ps', async () => (await import('./commands/ps.ts')).psCommand],
  ['logs', async () => (await import('./commands/logs.ts')).logsCommand],
  ['metrics', async () => (await import('./commands/metrics.ts')).metricsCommand],
  ['open', async () => (await import('./commands/open.ts')).openCommand],
  ['env', async () => (await import('./commands/env.ts')).envCommand],
  ['share', async () => (await import('./commands/share.ts')).shareCommand],
  ['hooks', async () => (await import('./commands/hooks.ts')).hooksCommand],
  ['trust', async () => (await import('./commands/trust.ts')).trustCommand],
  ['domains', async () => (await import('./commands/domains.ts')).domainsCommand],
  ['dns', async () => (await import('./commands/dns.ts')).dnsCommand],
  ['keys', async () => (await import('./commands/keys.ts')).keysCommand],
  ['webhooks', async () => (await import('./commands/webhooks.ts')).webhooksCommand],
  ['teams', async () => (await import('./commands/teams.ts')).teamsCommand],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcpCommand],
  ['admin', async () => (await import('./commands/admin.ts')).adminCommand],
  ['completion', async () => (await import('./commands/completion.ts')).completionCommand],
])

/**
 * The parser for `args`: with only the command that they begin with, after options, or with all commands.
 * Parsing throws CommanderError, also after it has printed help or the version.
 */
export async function createProgram(io: Io, args: string[] = []): Promise<Command> {
  const program = new Command('svc')
    .description('Deploy sites to a server of your own.')
    .version(version, '--version', 'print the version')
    .option('--url <address>', 'address of the server (default: SVC_URL, or the last one logged in to)')
    .option('--json', 'print JSON, errors too')
    .addHelpText('after', about)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(linesOf(text)),
      writeErr: (text) => void io.stderr.write(linesOf(text)),
      // Errors are thrown, and printed in one place.
      outputError: () => {},
    })
    .exitOverride()
  const only = commands.get(args.find((arg, index) => isWord(arg, args[index - 1])) ?? '')
  const makers = await Promise.all((only ? [only] : [...commands.values()]).map((load) => load()))
  for (const make of makers) program.addCommand(make(io))
  if (!only) {
    const { completeCommand } = await import('./commands/completion.ts')
    program.addCommand(completeCommand(io), { hidden: true })
  }
  inherit(program)
  return program
}

function isWord(arg: string, before: string | undefined): boolean {
  return !arg.startsWith('-') && before !== '--url'
}

function inherit(parent: Command): void {
  for (const child of parent.commands) {
    child.copyInheritedSettings(parent)
    if (child.name() === 'ls' && child.registeredArguments.length === 0) refuseWords(child, parent)
    inherit(child)
  }
}

/** The parser takes an unknown command below a group for an argument of the group's `ls`. */
function refuseWords(list: Command, group: Command): void {
  list.allowExcessArguments(true).hook('preAction', () => {
    const [word] = list.args
    if (word === undefined) return
    const names = new Command(group.name()).exitOverride().configureOutput({ outputError: () => {} })
    for (const each of group.commands) names.command(each.name())
    // Throws, with the name that is meant if one is similar.
    names.parse([word], { from: 'user' })
  })
}
