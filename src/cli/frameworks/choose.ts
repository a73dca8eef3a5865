/** Decides what becomes of sources: built here, built by the server, or sent as they are. */

import { describeSources } from '../../lib/frameworks/describe.ts'
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
export async function askChoice(io: Io, sources: Sources): Promise<Choice> {
  const what = describeSources(sources)
  const ways = waysOf(sources)
  if (!io.stdin.isTTY) throw usageFailure(`${what} ${ways.flags}`)
  warn(io, what)
  const answer = await ask(io, ways.question)
  const choice = ways.choices[answer.trim().toLowerCase()]
  if (!choice) throw usageFailure(ways.refusal)
  return choice
}

type Ways = {
  flags: string
  question: string
  choices: Partial<Record<string, Choice>>
  refusal: string
}

function waysOf({ start, build }: Sources): Ways {
  if (start !== undefined) return server
  return build === undefined ? unknownBuild : knownBuild
}

const server: Ways = {
  flags:
    'The last deployment was a static site: pass --remote to run the server, ' +
    'the directory with the site, or --as-is to deploy the sources.',
  question:
    'The last deployment was a static site. Run the server (r), deploy as it is (a), or stop (s) and ' +
    'deploy the directory with the site? [s] ',
  choices: { r: 'remote', a: 'as-is' },
  refusal: 'Nothing was deployed. Pass --remote, the directory with the site, or --as-is.',
}

const knownBuild: Ways = {
  flags:
    'Pass --build to build here and deploy the output, ' +
    '--remote to have the server build, or --as-is to deploy the sources.',
  question: 'Build here (b), on the server (r), or deploy as it is (a)? [b] ',
  choices: { '': 'build', b: 'build', r: 'remote', a: 'as-is' },
  refusal: 'Answer b, r or a.',
}

const unknownBuild: Ways = {
  flags:
    'Pass the directory with the site, set a build command with `svc projects set`, ' +
    'or pass --as-is to deploy the sources.',
  question: 'Deploy as it is (a), or stop (s) and deploy the directory with the site? [s] ',
  choices: { a: 'as-is' },
  refusal: 'Nothing was deployed. Pass the directory with the site, or --as-is.',
}
