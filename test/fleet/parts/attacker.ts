/** The process of the attacker, which plays attacks as the harness says. */

import { z } from 'zod'
import type { Target } from '../attacks/target.ts'
import type { AttackerRequest } from './attacker-process.ts'
import { requestOf, startHelper } from './helpers.ts'

export type Attacker = {
  pid: number
  /** The attacks that it has prepared. */
  names: string[]
  begin(name: string): Promise<void>
  /** Ends the attack that is under way. Resolves to what came of it, in a few words. */
  end(): Promise<string>
  close(): void
}

const replySchema = z.union([z.strictObject({ reply: z.unknown() }), z.strictObject({ problem: z.string() })])

/** Packs of hundreds of megabytes are made. */
const prepareMs = 300_000
/** On processors that everybody shares, at the lowest priority. */
const replyMs = 60_000

/** Starts it, with the attacks that have `only` in their names. @throws what it has to say of its failure. */
export async function startAttacker(target: Target, only: string): Promise<Attacker> {
  const child = startHelper('attacker-process')
  const ask = async (request: AttackerRequest, maxMs = replyMs): Promise<unknown> => {
    const answer = replySchema.parse(await requestOf(child, request, maxMs))
    if ('problem' in answer) throw new Error(`The attacker failed: ${answer.problem}`)
    return answer.reply
  }
  const names = z.array(z.string()).parse(await ask({ do: 'prepare', only, target }, prepareMs))
  if (names.length === 0) throw new Error(`No attack has ${only} in its name.`)
  return {
    pid: child.pid ?? 0,
    names,
    begin: async (attack) => void (await ask({ do: 'begin', attack })),
    end: async () => z.string().parse(await ask({ do: 'end' })),
    close: () => void child.kill('SIGKILL'),
  }
}
