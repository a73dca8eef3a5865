/** The option that says what becomes of pull requests of forks. */
import { Option } from 'commander'

/** Its values. */
export type Forks = 'approve' | 'off'

/** The option `--forks`, for each command that has it. */
export function forksOption(): Option {
  return new Option(
    '--forks <approve|off>',
    'deploy pull requests of forks, each commit once an owner has approved it',
  ).choices(['approve', 'off'])
}

/** The setting that the option stands for; without it there is none. */
export function forksOf({ forks }: { forks?: Forks }): { forks?: 'approve' | false } {
  if (forks === undefined) return {}
  return { forks: forks === 'approve' ? 'approve' : false }
}
