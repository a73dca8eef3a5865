/** A team with one of everything, at a node whose forge answers. */
import { z } from 'zod'
import type { startForgeNodes } from '../../platform/forges/steps.ts'
import { unique } from '../../support/node.ts'
import type { Own } from './audit-cases.ts'
import { callRpc } from './call-procedure.ts'
import { newFixture } from './every-procedure.ts'

const answerSchema = z.object({ result: z.object({ data: z.looseObject({}) }) })

export async function newOwn({
  node,
  forge,
  resolver,
}: Awaited<ReturnType<typeof startForgeNodes>>): Promise<Own> {
  const fixture = await newFixture(node)
  const email = `${unique('ada')}@example.com`
  const call: Own['call'] = async (name, input) => {
    const { status, body } = await callRpc(node, fixture.team.ownerKey, name, input ?? {})
    if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`)
    return answerSchema.parse(body).result.data
  }
  return { ...fixture, node, resolver, repository: forge.url, email, call }
}
