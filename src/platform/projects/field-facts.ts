/**
 * The described tables for the command, which leaves checks to the server: `build/data-modules.mjs` replaces
 * this module by its data, so that the command loads no schemas.
 */
import {
  describedBuild,
  describedFields,
  describedRepository,
  describedRuntime,
  initialBuild,
  initialRuntime,
} from './describe-fields.ts'

export const fieldFacts = describedFields
export const buildFacts = describedBuild
export const defaultBuild = initialBuild
export const runtimeFacts = describedRuntime
export const defaultRuntime = initialRuntime
export const repositoryFacts = describedRepository
