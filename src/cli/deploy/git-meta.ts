/** The origin of a site's files, from the git repository that they lie in. */
import { Failure } from '../failure.ts'
import { findRepository } from '../git/find-repository.ts'
import { readSubject } from '../git/read-commit.ts'
import { readHead } from '../git/read-head.ts'

/** The server's limit for one value of meta. */
const maxLength = 1_000

/**
 * `branch`, `commit` and `message` of what is checked out in `directory`; empty without a repository, or a commit.
 * `onProblem` gets a sentence about a file that isn't read.
 */
export function gitMeta(directory: string, onProblem: (sentence: string) => void): Record<string, string> {
  return (
    orNothing(onProblem, () => {
      const repository = findRepository(directory)
      const head = repository && readHead(repository)
      if (!head) return {}
      const message = orNothing(onProblem, () => readSubject(repository, head.commit), 'message')
      const meta = { branch: head.branch, commit: head.commit, message }
      return Object.fromEntries(
        Object.entries(meta).flatMap(([key, value]) => (value ? [[key, shortened(value)]] : [])),
      )
    }) ?? {}
  )
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

function shortened(text: string): string {
  return text.slice(0, maxLength).toWellFormed()
}
