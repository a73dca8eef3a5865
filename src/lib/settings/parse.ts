/** Reads the settings of a node from its environment. */
import leven from 'leven'
import { EnvFileError, parseEnvFile } from '../env-file.ts'
import { withAwsVariables } from './aws.ts'
import { problemOf } from './checks.ts'
import { SettingsError } from './error.ts'
import { environmentSchema, type Settings } from './variables.ts'

/** Variables by name. */
export type Environment = Record<string, string | undefined>

const names = Object.keys(environmentSchema.shape)

/**
 * The process's environment over what the text of a file `.env` says.
 * @throws SettingsError for a line that can't be meant.
 */
export function readEnvironment(file: string | undefined, environment: NodeJS.ProcessEnv): Environment {
  return { ...variablesOf(file ?? ''), ...environment }
}

function variablesOf(text: string): Environment {
  try {
    return Object.fromEntries(parseEnvFile(text).map(({ key, value }) => [key, value]))
  } catch (error) {
    if (error instanceof EnvFileError) throw new SettingsError(`.env, ${error.message}`, { cause: error })
    throw error
  }
}

/**
 * The settings in `environment`, where an empty value counts as none.
 * @throws SettingsError naming each wrong variable.
 */
export function parseSettings(environment: Environment): Settings {
  const complete = withAwsVariables(environment)
  const given = Object.fromEntries(names.map((name) => [name, complete[name] || undefined]))
  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])} should be ${issue.message}.`)
    throw new SettingsError([...new Set(lines)].join('\n'))
  }
  const problem = problemOf(parsed.data)
  if (problem) throw new SettingsError(problem)
  return parsed.data
}

/** Clients read their key from it, so it may be set in a node's environment too. */
const clientToken = 'SVC_TOKEN'

/** A warning for each unknown `SVC_*` variable, with the nearest known name. */
export function unknownSettings(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('SVC_') && !names.includes(name) && name !== clientToken)
    .map((name) => {
      const nearest = names.reduce((best, known) => (leven(name, known) < leven(name, best) ? known : best))
      return `${name} is not a setting and is ignored. Did you mean ${nearest}?`
    })
}
