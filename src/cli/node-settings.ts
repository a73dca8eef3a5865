/** The node's settings, for `svc admin`. */
import type { Settings } from '../settings/variables.ts'
import type { Io } from './io.ts'
import { warn } from './terminal/output.ts'

/** From the environment, and from `.env` in the working directory. @throws SettingsError naming each invalid one. */
export async function nodeSettings(io: Io): Promise<Settings> {
  // Loaded on demand: other commands start faster without it.
  const { parseSettings, readEnvironment, unknownSettings } = await import('../settings/parse.ts')
  const environment = readEnvironment(process.cwd(), io.env)
  for (const line of unknownSettings(environment)) warn(io, line)
  return parseSettings(environment)
}
