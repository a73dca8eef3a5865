/** Decides what becomes of sources: built here, built by the server, or sent as they are. */

import type { Sources } from '../../lib/frameworks/recognize.ts'
import { usageFailure } from '../command-failure.ts'
import type { Io } from '../io.ts'
import { warn } from '../terminal/output.ts'
import { ask } from '../terminal/prompt.ts'

export type Choice = 'build' | 'remote' | 'as-is'

/** The flags of `svc deploy`, of which one may be given. */
export type ChoiceFlags = { build?: boolean; remote?: boolean; asIs?: boolean }

/** The choice that a flag makes. */
export function choiceOf({ build, remote, asIs }: ChoiceFlags): Choice | undefined {
  if (build) return 'build'
  if (remote) return 'remote'
  return asIs ? 'as-is' : undefined
}

/**
 * The choice of the person at the terminal. @throws Failure (2) without a terminal, which names the flags.
 */
export async function askChoice(io: Io, { framework, build, output }: Sources): Promise<Choice> {
  const what = `These are sources for ${framework}, built with \`${build}\` into ${output}.`
  if (!io.stdin.isTTY) {
    throw usageFailure(
      `${what} Pass --build to build here and deploy the output, ` +
        '--remote to have the server build, or --as-is to deploy the sources.',
    )
  }
  warn(io, what)
  const answer = await ask(io, 'Build here (b), on the server (r), or deploy as it is (a)? [b] ')
  const choices: Partial<Record<string, Choice>> = { '': 'build', b: 'build', r: 'remote', a: 'as-is' }
  const choice = choices[answer.trim().toLowerCase()]
  if (!choice) throw usageFailure('Answer b, r or a.')
  return choice
}
