/** The origin of a site's files, from the git repository that they lie in. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isRecord } from '../../lib/is-record.ts'
import { Failure } from '../command-failure.ts'
import { findRepository } from '../git/find-repository.ts'
import { readCommit } from '../git/read-commit.ts'
import { readHead } from '../git/read-head.ts'
import { readRemote } from '../git/read-remote.ts'
import { repositoryAddress } from './repository-address.ts'

/** `author` is a name, `repository` an https address, `pull_request` a number. */
export type SourceMeta = Partial<
  Record<'branch' | 'commit' | 'message' | 'author' | 'repository' | 'pull_request', string | undefined>
>

/**
 * The facts of the commit that is checked out in `directory`; empty without a repository, or a commit.
 * `onProblem` gets a sentence about a file that isn't read.
 */
export function gitMeta(directory: string, onProblem: (sentence: string) => void): SourceMeta {
  return (
    orNothing(onProblem, () => {
      const repository = isExample(directory) ? undefined : findRepository(directory)
      const head = repository && readHead(repository)
      if (!head) return {}
      const commit = orNothing(onProblem, () => readCommit(repository, head.commit), 'message')
      const remote = orNothing(onProblem, () => readRemote(repository), 'repository')
      return {
        branch: head.branch,
        commit: head.commit,
        message: commit?.subject,
        author: commit?.author,
        repository: remote && repositoryAddress(remote),
      }
    }) ?? {}
  )
}

/** Whether it is in an example of this project, in a clone of it whose commits are not about that site. */
function isExample(directory: string): boolean {
  for (let folder = resolve(directory); dirname(folder) !== folder; folder = dirname(folder))
    if (basename(folder) === 'examples') return isOurs(dirname(folder))
  return false
}

function isOurs(root: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return isRecord(manifest) && manifest.name === '@svc-platform/svc'
  } catch {
    return false
  }
}

/** A deployment doesn't fail for what only describes it: a damaged repository counts as none. */
function orNothing<T>(onProblem: (sentence: string) => void, read: () => T, what = 'commit'): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) onProblem(`The ${what} is not recorded: ${error.message}.`)
    return undefined
  }
}
