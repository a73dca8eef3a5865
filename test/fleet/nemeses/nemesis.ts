/** A disturbance of the fleet: it takes something away, and gives it back. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Need } from '../history/lines.ts'
import type { Recorder } from '../history/recorder.ts'

export type Nemesis = {
  name: string
  /** What clients have to do without meanwhile. */
  disturbs: Need[]
  /** The process that is disturbed, if it is one. */
  node?: string
  /** How long what it takes away stays away. */
  lastsMs: number
  begin(): Promise<void>
  /** Resolves once it is back. */
  end(): Promise<void>
}

/** Runs one from its beginning to its end. */
export async function disturb(nemesis: Nemesis, recorder: Recorder): Promise<void> {
  const { name, disturbs, node, lastsMs } = nemesis
  const line = {
    type: 'nemesis',
    id: recorder.newId(),
    name,
    disturbs,
    ...(node !== undefined && { node }),
  } as const
  recorder.write({ ...line, phase: 'begin' })
  await nemesis.begin()
  await sleep(lastsMs)
  await nemesis.end()
  recorder.write({ ...line, phase: 'end' })
}
