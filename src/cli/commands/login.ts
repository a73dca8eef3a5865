/** `svc login`: stores an API key once the server has accepted it. */
import { Command } from 'commander'
import { isLoopback } from '../../lib/net/loopback.ts'
import { usageFailure } from '../command-failure.ts'
import { clientOf } from '../connection/connect.ts'
import { checkToken, serverUrl, storeToken } from '../connection/credentials.ts'
import { whoHas } from '../connection/who.ts'
import { globalOptions, type Io } from '../io.ts'
import { warn, writeJson } from '../terminal/output.ts'
import { readSecret } from '../terminal/prompt.ts'

const examples = `
Examples:
  $ svc login
  $ svc login --url https://svc.example.com < key.txt

At a terminal it prompts for the key, otherwise it reads standard input. The key is stored in
~/.config/svc/credentials.json (or below $XDG_CONFIG_HOME), which only you can read.`

/** The command `svc login`. */
export function loginCommand(io: Io): Command {
  return new Command('login')
    .description('log in to a server with an API key')
    .addHelpText('after', examples)
    .action((_options, command: Command) => login(io, command))
}

async function login(io: Io, command: Command): Promise<void> {
  const options = globalOptions(command)
  const url = serverUrl(io, options)
  const token = (await readSecret(io, `API key for ${url}: `)).trim()
  if (token === '') throw usageFailure('No API key on standard input.')
  const key = await whoHas(clientOf(io, options, { url, token: checkToken(token, 'The input') }), token)
  await storeToken(io, url, token)
  if (isOpenToOthers(url)) warn(io, `${url} is not encrypted: anyone on the network path can read the key.`)
  if (options.json) return writeJson(io, { url, team: key?.team ?? null, role: key?.role ?? null })
  warn(io, `Logged in to ${url}${key ? ` as ${key.role} of team ${key.team}` : ''}.`)
  if (io.env.SVC_TOKEN) warn(io, 'SVC_TOKEN is set, and takes precedence over this key until you unset it.')
}

/** Whether requests to `url` leave this machine unencrypted. */
function isOpenToOthers(url: string): boolean {
  return new URL(url).protocol === 'http:' && !isLoopback(url)
}
