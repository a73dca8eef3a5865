/** The settings of the node on this machine, for the commands of its administrator. */
import type { Settings } from '../settings/variables.ts'
import type { Io } from './io.ts'
import { warn } from './terminal/output.ts'

/** From the environment, and from `.env` in the working directory. @throws SettingsError naming each wrong one. */
export async function nodeSettings(io: Io): Promise<Settings> {
  // Loaded when needed: other commands would only wait for it.
  const { parseSettings, readEnvironment, unknownSettings } = await import('../settings/parse.ts')
  const environment = readEnvironment(process.cwd(), io.env)
  for (const line of unknownSettings(environment)) warn(io, line)
  return parseSettings(environment)
}
