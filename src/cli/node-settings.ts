/** The node's settings, for `svc admin`. */
import { join } from 'node:path'
import type { Settings } from '../settings/variables.ts'
import { exitCodes } from './exit-codes.ts'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'
import { readFoundFile } from './read-file.ts'
import { warn } from './terminal/output.ts'

/** Of the file `.env`. */
const maxEnvironmentBytes = 1024 * 1024

/**
 * From the environment, and from `.env` in the working directory.
 * @throws SettingsError naming each invalid one; Failure (1) where the command is installed without the node; (2) for
 * a `.env` that is no regular file, or too large.
 */
export async function nodeSettings(io: Io): Promise<Settings> {
  // Loaded on demand: other commands start faster without it.
  const { parseSettings, readEnvironment, unknownSettings } = await import('../settings/parse.ts').catch(
    explainMissing,
  )
  // Refuses what reading it would wait for, or never end with.
  readFoundFile(join(process.cwd(), '.env'), { maxBytes: maxEnvironmentBytes, links: 'followed' })
  const environment = readEnvironment(process.cwd(), io.env)
  for (const line of unknownSettings(environment)) warn(io, line)
  return parseSettings(environment)
}

function explainMissing(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
  throw new Failure(exitCodes.failure, {
    reason: 'node_not_installed',
    message:
      'Only the command is installed here. Run `npm run -s svc -- admin` in the directory of the node, on its machine.',
  })
}
