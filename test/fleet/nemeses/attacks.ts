/** An attack as a disturbance, of which nobody else may notice anything. */
import type { Recorder } from '../history/recorder.ts'
import type { Attacker } from '../parts/attacker.ts'
import type { Nemesis } from './nemesis.ts'

export function attackBy(
  attacker: Attacker,
  { name, lastsMs }: { name: string; lastsMs: number },
  recorder: Recorder,
): Nemesis {
  return {
    name,
    disturbs: [],
    lastsMs,
    begin: () => attacker.begin(name),
    async end() {
      recorder.write({ type: 'attack', name, outcome: await attacker.end() })
    },
  }
}
