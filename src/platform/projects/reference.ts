/** How a request names a project. */
import { z } from 'zod'

/** A project by name or id. */
export const projectReference = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "A project's name or id", examples: ['web'] })
