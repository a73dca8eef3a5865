/** The states of a deployment, and which of them are final. */
import { z } from 'zod'

export const stateSchema = z.enum(['queued', 'building', 'ready', 'error', 'canceled'])

export type State = z.infer<typeof stateSchema>

/** Whether a deployment in this state stays in it until it is deleted. */
export function isFinal(state: State): boolean {
  return state !== 'queued' && state !== 'building'
}
