/** Inserts claims of domains, verified or not. */
import { randomBytes } from 'node:crypto'
import { domains } from '../../src/db/schema/domains.ts'
import { newId } from '../../src/ids.ts'
import { readDomainName, reverseName } from '../../src/names/domain-name.ts'
import type { Installation } from '../../src/node/installation.ts'
import { changeFamilies } from '../../src/zones/family.ts'
import { settleVerified } from '../../src/zones/settle-verified.ts'
import type { TestNode } from './node.ts'

/** Where a claim is inserted: a whole node, or its store and clock. */
type ClaimNode = Pick<TestNode, 'clock'> & { installation: Pick<Installation, 'store'> }

type Options = {
  /** Whether its TXT record has been seen. */
  proven?: boolean
  /** The project's id. */
  project?: string
  redirect?: { to: string; status: number }
}

/** Makes a team's claim and resolves to its id. */
export async function claim(
  node: ClaimNode,
  team: { id: string },
  domain: string,
  { proven = false, project, redirect }: Options = {},
): Promise<string> {
  const name = readDomainName(domain)
  if ('problem' in name) throw new Error(name.problem)
  const nowMs = Date.now() + node.clock.aheadMs
  const id = newId('domain', nowMs)
  await node.installation.store.transact(async (tx, announce) => {
    await changeFamilies(tx, announce, [name.registrable], nowMs)
    await tx.insert(domains).values({
      id,
      teamId: team.id,
      ...name,
      reversed: reverseName(name.domain),
      projectId: project ?? null,
      redirectTo: redirect?.to ?? null,
      redirectStatus: redirect?.status ?? null,
      proof: `svc-verify=${randomBytes(32).toString('base64url')}`,
      provenMs: proven ? nowMs : null,
      nextCheckMs: nowMs,
      createdMs: nowMs,
      updatedMs: nowMs,
    })
    await settleVerified(tx, [name], nowMs)
  })
  return id
}
