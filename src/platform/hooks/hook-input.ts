/** The inputs of calls about deploy hooks. */
import { z } from 'zod'
import { displayText } from '../../lib/names/display-text.ts'
import { projectReference } from '../projects/reference.ts'

export const projectHooksInput = z.strictObject({ project: projectReference })

/** Without `branch` what is live is built again. */
export const newDeployHookInput = z.strictObject({
  project: projectReference,
  name: displayText({ max: 100 }),
  branch: z.string().min(1).max(1_000).nullable().default(null),
})

export const deployHookReference = z.strictObject({ project: projectReference, id: z.string().max(100) })

export type NewDeployHook = z.infer<typeof newDeployHookInput>

export type DeployHookReference = z.infer<typeof deployHookReference>
