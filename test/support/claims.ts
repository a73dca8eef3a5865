/** Inserts claims of domains, verified or not. */
import { randomBytes } from 'node:crypto'
import { newId } from '../../src/lib/ids.ts'
import { readDomainName, reverseName } from '../../src/lib/names/domain-name.ts'
import type { Installation } from '../../src/operate/node/installation.ts'
import { settleVerified } from '../../src/platform/zones/claims/settle-verified.ts'
import { changeFamilies } from '../../src/platform/zones/family.ts'
import { domains } from '../../src/stores/db/schema/domains.ts'
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
  await node.installation.store.transact(async (tx) => {
    await changeFamilies(tx, [name.registrable], nowMs)
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
