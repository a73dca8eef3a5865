/**
 * The attacker, in a process of its own: first it gets the target, makes what it will send, and says so; then
 * each message names an attack that it begins, or ends the one that is under way.
 */
import { setMaxListeners } from 'node:events'
import { setPriority } from 'node:os'
import { z } from 'zod'
import type { Play } from '../attacks/attack.ts'
import { attacks } from '../attacks/table.ts'
import { targetSchema } from '../attacks/target.ts'

const requestSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('prepare'), only: z.string(), target: targetSchema }),
  z.strictObject({ do: z.literal('begin'), attack: z.string() }),
  z.strictObject({ do: z.literal('end') }),
])

export type AttackerRequest = z.infer<typeof requestSchema>

/** Elsewhere it would take none of the processors that the nodes have. */
const niceness = 5
setPriority(niceness)

const plays = new Map<string, Play>()
let running: { over: AbortController; outcome: Promise<string> } | undefined

async function answer(message: unknown): Promise<unknown> {
  const request = requestSchema.parse(message)
  if (request.do === 'prepare') {
    for (const { name, prepare } of attacks.filter((attack) => attack.name.includes(request.only)))
      plays.set(name, await prepare(request.target))
    return [...plays.keys()]
  }
  if (request.do === 'begin') {
    const play = plays.get(request.attack)
    if (!play) throw new Error(`There is no attack named ${request.attack}.`)
    const over = new AbortController()
    // Of each connection and each pause.
    setMaxListeners(0, over.signal)
    running = { over, outcome: play(over.signal) }
    running.outcome.catch(() => {})
    return 'begun'
  }
  running?.over.abort()
  const outcome = (await running?.outcome) ?? 'nothing'
  running = undefined
  return outcome
}

process.on('message', (message) => {
  answer(message).then(
    (reply) => process.send?.({ reply }),
    (error: unknown) => process.send?.({ problem: String(error) }),
  )
})
// The harness is gone.
process.on('disconnect', () => process.exit())
