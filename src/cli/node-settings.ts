/** The node's settings, for `svc admin`. */

import { hasCode } from '../lib/has-code.ts'
import type { Settings } from '../lib/settings/variables.ts'
import { Failure, usageFailure } from './command-failure.ts'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import { warn } from './terminal/output.ts'

/**
 * From the environment, and from `.env` in the working directory.
 * @throws SettingsError naming each invalid one; Failure (1) where the command is installed without the node;
 * (2) for a `.env` that is no regular file, too large, or could be another user's.
 */
export async function nodeSettings(io: Io): Promise<Settings> {
  // Loaded on demand: other commands start faster without it.
  const { parseSettings, readEnvironment, unknownSettings } = await import('../lib/settings/parse.ts').catch(
    explainMissing,
  )
  const environment = readEnvironment(await readEnvironmentFile(), io.env)
  for (const line of unknownSettings(environment)) warn(io, line)
  return parseSettings(environment)
}

async function readEnvironmentFile(): Promise<string | undefined> {
  const { readEnvironmentFile: read } = await import('../stores/data-dir/environment-file.ts')
  try {
    return read(process.cwd())
  } catch (error) {
    throw error instanceof Error ? usageFailure(error.message) : error
  }
}

function explainMissing(error: unknown): never {
  if (!hasCode(error, 'ERR_MODULE_NOT_FOUND')) throw error
  throw new Failure(exitCodes.failure, {
    reason: 'node_not_installed',
    message:
      'Only the command is installed here. ' +
      'Run `npm run -s svc -- admin` in the directory of the node, on its machine.',
  })
}
