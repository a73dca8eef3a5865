/** A run with an attacker: calm and attacked stretches take turns, so that both meet the same machine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createTarget } from './load/attacker-world.ts'
import type { World } from './load/world.ts'
import { attackBy } from './nemeses/attacks.ts'
import { disturb } from './nemeses/nemesis.ts'
import { type Attacker, startAttacker } from './parts/attacker.ts'
import { measureBusy } from './parts/busy.ts'
import type { Fleet } from './parts/fleet.ts'
import type { Options } from './run-fleet.ts'

/** Before them is a calm stretch, which is as long as they are. */
const attacksInTurn = 5

/** Between attacks, and after an attacked stretch until the calm one begins. */
const pauseMs = { attack: 1_000, stretch: 5_000 }

/** Makes what the attacker will send. @throws when there is no attack with `only` in its name. */
export async function prepareAttacks(world: World, { only, cleanUp, say }: Options): Promise<Attacker> {
  say('preparing attacks')
  const attacker = await startAttacker(await createTarget(world), only)
  cleanUp(attacker.close)
  return attacker
}

/** Plays each attack once, in half of the time of the run. */
export async function playAttacks(options: Options, fleet: Fleet, attacker: Attacker): Promise<void> {
  const { recorder, say, soakMs = 0 } = options
  const { names } = attacker
  const turns = Math.ceil(names.length / attacksInTurn)
  const lastsMs = Math.max(0, (soakMs - turns * pauseMs.stretch) / 2 / names.length - pauseMs.attack)
  const stretch = async (name: 'calm' | 'attacked', work: () => Promise<unknown>) => {
    const sinceMs = recorder.nowMs()
    const end = measureBusy({
      nodes: () => fleet.nodes.flatMap((node) => node.pid() ?? []),
      'PostgreSQL, Redis, HAProxy and S3': fleet.sharedPids,
      attacker: () => [attacker.pid],
    })
    await work()
    recorder.write({ type: 'stretch', name, sinceMs, busy: end() })
  }
  for (let at = 0; at < names.length; at += attacksInTurn) {
    const next = names.slice(at, at + attacksInTurn)
    say('no attack')
    await stretch('calm', () => sleep(next.length * (lastsMs + pauseMs.attack)))
    await stretch('attacked', async () => {
      for (const name of next) {
        say(name)
        await disturb(attackBy(attacker, { name, lastsMs }, recorder), recorder)
        await sleep(pauseMs.attack)
      }
    })
    await sleep(pauseMs.stretch)
  }
}
