/** The `svc` command. */
import { version } from '../lib/version.ts'

const args = process.argv.slice(2)
if (args.length === 1 && args[0] === '--version') {
  // Before anything else is loaded: scripts and editors call it often.
  process.stdout.write(`${version}\n`)
} else {
  import('./run-command.ts').then(({ main }) => main(args))
}
