/** Runs the user's git, for changes of a repository; what is only read, is read without it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isRecord } from '../../lib/is-record.ts'
import { failed, usageFailure } from '../command-failure.ts'
import type { Io } from '../io.ts'
import { withoutRepositories } from '../outside-path.ts'

type Result = { code: number; output: string; said: string }

/** Runs git with these arguments; resolves to its exit code and what it wrote. */
export type Git = (args: string[]) => Promise<Result>

/**
 * The git of the work tree around `directory`.
 * @throws Failure where git is missing; (2) where there is no work tree, in git's words if it has others.
 */
export async function gitIn(io: Pick<Io, 'env' | 'signal'>, directory: string): Promise<Git> {
  const git: Git = (args) => run(io, directory, args)
  const { code, output, said } = await git(['rev-parse', '--is-inside-work-tree'])
  if (code === 0 && output === 'true') return git
  if (code === 0 || said.includes('not a git repository'))
    throw usageFailure(`${directory} is not in a git work tree: run \`git init\` first.`)
  throw usageFailure(`git refuses ${directory}: ${firstLine(said)}`)
}

/** The output of a command that has to succeed. @throws Failure with what git said. */
export async function mustGit(git: Git, args: string[]): Promise<string> {
  const { code, output, said } = await git(args)
  if (code === 0) return output
  throw failed(`git ${args[0]} ended with ${code}: ${firstLine(said)}`)
}

async function run(
  { env, signal }: Pick<Io, 'env' | 'signal'>,
  cwd: string,
  args: string[],
): Promise<Result> {
  const path = env.PATH === undefined ? {} : { PATH: withoutRepositories(env.PATH) }
  // Its messages are compared, so they have to be in one language.
  const options = { cwd, signal, env: { ...env, ...path, LC_ALL: 'C', LANGUAGE: '' } }
  try {
    const { stdout, stderr } = await promisify(execFile)('git', args, options)
    return { code: 0, output: stdout.trimEnd(), said: stderr }
  } catch (error) {
    signal.throwIfAborted()
    if (!isRecord(error)) throw error
    const { code, stdout, stderr } = error
    if (code === 'ENOENT') throw failed('git is not installed, or not on PATH.', error)
    if (typeof code !== 'number') throw error
    return { code, output: String(stdout).trimEnd(), said: String(stderr) }
  }
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''
