/** `svc whoami`: the server and the identity that commands use. */
import { Command } from 'commander'
import { connect } from '../connection/connect.ts'
import { whoHas } from '../connection/who.ts'
import { globalOptions, type Io } from '../io.ts'
import { writeFields, writeJson } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc whoami
  $ svc whoami --json`

/** The command `svc whoami`. */
export function whoamiCommand(io: Io): Command {
  return new Command('whoami')
    .description('show your server, name, team and role')
    .addHelpText('after', examples)
    .action(async (_options, command: Command) => {
      const options = globalOptions(command)
      const { api, url, token, fromEnvironment } = connect(io, options)
      const key = await whoHas(api, token)
      const source = fromEnvironment ? 'SVC_TOKEN' : 'svc login'
      if (options.json) {
        const {
          id = null,
          name = null,
          created_by_name: user_name = null,
          team = null,
          role = null,
        } = key ?? {}
        return writeJson(io, { url, source, key: id, name, user_name, team, role })
      }
      writeFields(io, [
        ['server', url],
        ['user', key?.created_by_name || 'unknown'],
        ['team', key?.team ?? 'unknown'],
        ['role', key?.role ?? 'unknown'],
        ['key', key ? `${key.name} (${key.prefix}), from ${source}` : `from ${source}`],
      ])
    })
}
