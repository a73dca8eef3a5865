/** A directory among the files of a site, or of a repository. */
import { z } from 'zod'
import { pathProblem } from '../../lib/names/file-path.ts'

export const directorySchema = z
  .string()
  .max(1_024)
  .refine(
    (path) => path === '.' || pathProblem(path) === undefined,
    'must be a relative path without . or .. segments',
  )
