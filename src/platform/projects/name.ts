/** Valid names of projects. */
import { z } from 'zod'
import { shortLabel, shortLabelRule } from '../../lib/names/short-label.ts'

/** A label of host names. */
export const projectNameSchema = z
  .string()
  .regex(shortLabel, shortLabelRule)
  .meta({ examples: ['web'] })
