/** The inputs of calls about running servers. */
import { z } from 'zod'
import { projectReference } from '../projects/reference.ts'

export const listServersInput = z.strictObject({ project: projectReference.optional() })

export const restartServersInput = z.strictObject({ project: projectReference })
