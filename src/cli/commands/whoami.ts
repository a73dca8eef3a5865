/** `svc whoami`: the server and the identity that commands use. */
import { Command } from 'commander'
import { type Api, connect } from '../connection/connect.ts'
import type { ExchangedJwts } from '../connection/identity/exchanged-jwts.ts'
import { whoHas } from '../connection/who.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
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
      const { api, url, token, fromEnvironment, jwts } = connect(io, options)
      if (jwts) return showJob(io, options, { url, jwts })
      await showKey(io, options, { api, url, token, source: fromEnvironment ? 'SVC_TOKEN' : 'svc login' })
    })
}

type Found = { api: Api; url: string; token: string; source: string }

async function showKey(io: Io, options: GlobalOptions, { api, url, token, source }: Found): Promise<void> {
  const [key, { user }] = await Promise.all([whoHas(api, token), api.account.get.query({})])
  if (options.json) {
    const { id = null, name = null, team = null, role = null } = key ?? {}
    return writeJson(io, { url, source, key: id, name, user_name: user.name, team, role })
  }
  writeFields(io, [
    ['server', url],
    ['user', user.name],
    ['team', key?.team ?? 'unknown'],
    ['role', key?.role ?? 'unknown'],
    ['key', key ? `${key.name} (${key.prefix}), from ${source}` : `from ${source}`],
  ])
}

/** A job with an identity token has no key; what the server issued for the token says the rest. */
async function showJob(
  io: Io,
  { json }: GlobalOptions,
  { url, jwts }: { url: string; jwts: ExchangedJwts },
): Promise<void> {
  const { team, role, expiresMs: expires_ms } = await jwts.current()
  const source = 'identity token'
  if (json) {
    return writeJson(io, { url, source, key: null, name: null, user_name: null, team, role, expires_ms })
  }
  writeFields(io, [
    ['server', url],
    ['team', team],
    ['role', role],
    ['key', `none: a JWT for the identity token of this job, until ${new Date(expires_ms).toISOString()}`],
  ])
}
