/** The origin of a site's files, as a deployment records it. */
import { ciMeta } from './ci-meta.ts'
import { gitMeta } from './git-meta.ts'

/** The server's limit for one value of meta. */
const maxLength = 1_000

/**
 * The facts of the repository around `directory`, and those of the variables `env` of continuous integration
 * on the rest: it often checks out a commit without its branch. They say nothing of another repository.
 * `onProblem` gets a sentence about a file that isn't read.
 */
export function sourceMeta(
  directory: string,
  env: Record<string, string | undefined>,
  onProblem: (sentence: string) => void,
): Record<string, string> {
  const checkedOut = gitMeta(directory, onProblem)
  const running = ciMeta(env)
  const isOther =
    checkedOut.repository !== undefined &&
    running.repository !== undefined &&
    checkedOut.repository !== running.repository
  const known = Object.entries(checkedOut).filter(([, value]) => value)
  const meta = { ...(isOther ? {} : running), ...Object.fromEntries(known) }
  return Object.fromEntries(
    Object.entries(meta).flatMap(([key, value]) => (value ? [[key, shortened(value)]] : [])),
  )
}

function shortened(text: string): string {
  return text.slice(0, maxLength).toWellFormed()
}
