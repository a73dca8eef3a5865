/** `svc git-credential`: the key of a server as git's password. */
import { Command } from 'commander'
import { clientOf } from '../connection/connect.ts'
import { checkToken, keyOf } from '../connection/credentials.ts'
import { explain } from '../explain.ts'
import { originOf, readCredentialRequest } from '../git/credential-request.ts'
import { globalOptions, type Io } from '../io.ts'
import { write } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc git-credential get
  $ git config credential.https://svc.example.com.helper '!svc git-credential'

Git runs it (gitcredentials(7)), once \`svc git remote\` has configured that. It prints a password only for a
server that svc is logged in to: the API key, or a JWT where the server requires one. It stores nothing.`

/** The command `svc git-credential`. */
export function gitCredentialCommand(io: Io): Command {
  return new Command('git-credential')
    .description("give git the key of a server that you are logged in to, as git's credential helper")
    .argument('<operation>', 'get; others, such as store and erase, do nothing')
    .addHelpText('after', examples)
    .action(async (operation: string, _options, command: Command) => {
      // Git writes to each helper, and some versions end with one that doesn't read.
      const origin = originOf(await readCredentialRequest(io.stdin))
      if (operation !== 'get' || origin === undefined) return
      const options = globalOptions(command)
      const key = keyOf(io, options, origin)
      if (key === undefined) return
      const password = await passwordOf(clientOf(io, options, { url: origin, token: key }), key)
      write(io, 'username=svc')
      write(io, `password=${password}`)
    })
}

/** A JWT where the server issues them, as it then requires one to push. */
async function passwordOf(api: ReturnType<typeof clientOf>, key: string): Promise<string> {
  try {
    const { token } = await api.tokens.mint.mutate({})
    return checkToken(token, 'What the server issued')
  } catch (error) {
    // Without JWTs the key itself is accepted, and one in SVC_TOKEN is what is sent already.
    if (['jwt_not_configured', 'jwt_cannot_mint'].includes(explain(error).body.reason)) return key
    throw error
  }
}
