/** The paths of a repository that a project watches beside its own directory. */
import { z } from 'zod'
import { pathProblem } from '../../lib/names/file-path.ts'
import { spelledOut } from '../../lib/names/spelled-out.ts'

const maxPaths = 20

const path = z
  .string()
  .max(1_024)
  .refine((text) => problemOf(text) === undefined, {
    error: ({ input }) => `${spelledOut(String(input))} ${problemOf(String(input))}`,
  })

export const watchSchema = z.array(path).max(maxPaths)

function problemOf(text: string): string | undefined {
  if (text.includes('*')) return 'must be a path, not a pattern: a directory stands for all below it'
  if (text.length > 1 && text.endsWith('/')) return 'must not end with a slash'
  return pathProblem(text)
}
