/** `svc logout`: removes the stored API key of a server. */
import { Command } from 'commander'
import { forgetToken, serverUrl } from '../connection/credentials.ts'
import { globalOptions, type Io } from '../io.ts'
import { warn, writeJson } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc logout
  $ svc logout --url https://svc.example.com

The key itself stays valid: \`svc keys rm\` revokes it.`

/** The command `svc logout`. */
export function logoutCommand(io: Io): Command {
  return new Command('logout')
    .description('remove the stored API key of a server')
    .addHelpText('after', examples)
    .action(async (_options, command: Command) => {
      const options = globalOptions(command)
      const url = serverUrl(io, options)
      const loggedOut = await forgetToken(io, url)
      if (options.json) return writeJson(io, { url, logged_out: loggedOut })
      warn(io, loggedOut ? `Logged out of ${url}.` : `You were not logged in to ${url}.`)
      if (io.env.SVC_TOKEN) warn(io, 'SVC_TOKEN is still set.')
    })
}
