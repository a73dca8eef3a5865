/** How a process ended. */
import { constants } from 'node:os'

/** The code of an exit; `signal` is derived from it by the convention of shells. */
export type Exit = { code: number; signal: string | undefined }

/** The exit of a process from what Node says at its end: an ended shell says of its child what it can. */
export function describeExit(code: unknown, signal: unknown): Exit {
  if (typeof signal === 'string' && signal in constants.signals) {
    const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0
    return { code: 128 + number, signal }
  }
  const number = typeof code === 'number' ? code : 1
  const name = Object.entries(constants.signals).find(([, value]) => value === number - 128)?.[0]
  return { code: number, signal: name }
}
