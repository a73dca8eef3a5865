/** The states of a deployment, and which of them are final. */
import { z } from 'zod'

export const stateSchema = z.enum(['queued', 'building', 'ready', 'error', 'canceled'])

export type State = z.infer<typeof stateSchema>

/** Whether a deployment stays in this state until it is deleted. */
export function isFinal(state: State): boolean {
  return state !== 'queued' && state !== 'building'
}
