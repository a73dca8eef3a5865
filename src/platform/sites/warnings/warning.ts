/** A warning of a deployment: what was passed over, or looks wrong. */
import { z } from 'zod'

export const warningSchema = z
  .object({
    path: z.string().optional().meta({ description: 'The file that it is about' }),
    line: z.int().min(1).optional().meta({ description: 'Its line, from 1' }),
    message: z.string(),
    reason: z.enum(['sources_without_site']).optional().meta({
      description: 'For programs: `sources_without_site` where the files look like sources of a site',
    }),
  })
  .meta({ id: 'DeploymentWarning' })

export type Warning = z.infer<typeof warningSchema>

/** The most warnings of a deployment. */
const maxWarnings = 100

/** The first warnings; where there are more than may be kept, the last one says how many are missing. */
export function firstWarnings(warnings: readonly Warning[]): Warning[] {
  if (warnings.length <= maxWarnings) return [...warnings]
  const kept = warnings.slice(0, maxWarnings - 1)
  return [...kept, { message: `There are ${warnings.length - kept.length} more warnings.` }]
}

/** The warning about a path of an archive that is never deployed. */
export function leftOutWarning(path: string): Warning {
  return { path, message: 'is never deployed, and was left out.' }
}
