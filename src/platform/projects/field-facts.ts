/**
 * The described table for the command, which leaves checks to the server: `build/data-modules.mjs` replaces
 * this module by its data, so that the command loads no schemas.
 */
import { describedFields } from './describe-fields.ts'

export const fieldFacts = describedFields
