/** Options shared by several commands. */
import { InvalidArgumentError, Option } from 'commander'

/** `--target production|preview`. */
export function targetOption(description: string): Option {
  return new Option('--target <target>', description).choices(['production', 'preview'])
}

/** `--project <name>`; left out it is the project in `svc.json`, or the team's only one. */
export function projectOption(): Option {
  return new Option(
    '--project <name>',
    "the project's name or id (default: the one in svc.json, or the team's only one)",
  )
}

/** An option for a whole number from 1. */
export function countOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string) => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
    throw new InvalidArgumentError('It should be a whole number from 1.')
  })
}

/** An option for a whole number from 0. */
export function numberOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string) => {
    if (/^\d{1,9}$/.test(text)) return Number(text)
    throw new InvalidArgumentError('It should be a whole number.')
  })
}
