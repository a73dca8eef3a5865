/** A certificate of a team's own for a domain, which wins over one from the authority. */
import { and, eq } from 'drizzle-orm'
import { invalidField } from '../../lib/errors.ts'
import { seal } from '../../stores/data-dir/seal.ts'
import { certificates } from '../../stores/db/schema/certificates.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { type Change, changeOf } from '../../stores/events/changes.ts'
import { checkChain } from '../certificates/chain.ts'
import { keyPlace } from '../certificates/order-certificate.ts'
import type { Claim } from '../zones/claims/claim-name.ts'
import type { OwnCertificate } from './domain-input.ts'

const source = 'own'

type Deps = { tx: Transaction; sealKey: Buffer; nowMs: number }

/**
 * Stores it, or removes it (null). Resolves to the change, as far as there is one.
 * @throws AppError `invalid_input` that says what is wrong with it.
 */
export async function keepOwnCertificate(
  { tx, sealKey, nowMs }: Deps,
  { id, teamId, domain }: Pick<Claim, 'id' | 'teamId' | 'domain'>,
  certificate: OwnCertificate | null,
): Promise<Change[]> {
  const ofName = and(eq(certificates.name, domain), eq(certificates.source, source))
  const [before] = await tx
    .select({ notAfterMs: certificates.notAfterMs, chain: certificates.chain })
    .from(certificates)
    .where(and(ofName, eq(certificates.domainId, id)))
  let after: typeof before
  if (certificate) {
    const { chain, key } = certificate
    const validity = check(domain, certificate, nowMs)
    const kept = {
      domainId: id,
      teamId,
      chain,
      ...validity,
      keySealed: seal(sealKey, keyPlace(domain, source), key),
    }
    after = { notAfterMs: validity.notAfterMs, chain }
    await tx
      .insert(certificates)
      .values({ name: domain, source, ...kept })
      .onConflictDoUpdate({ target: [certificates.name, certificates.source], set: kept })
  } else {
    await tx.delete(certificates).where(and(ofName, eq(certificates.domainId, id)))
  }
  tx.announce({ kind: 'certificate', id: domain })
  if (before?.chain === after?.chain) return []
  return [changeOf('certificate', describe(before), describe(after))]
}

/** Certificates are public, and long: two of them differ by their ends. */
function describe(certificate: { notAfterMs: number | null } | undefined): string | null {
  return certificate ? `own, until ${new Date(certificate.notAfterMs ?? 0).toISOString()}` : null
}

function check(domain: string, { chain, key }: OwnCertificate, nowMs: number) {
  try {
    const validity = checkChain(chain, key, [domain])
    if (validity.notAfterMs <= nowMs) throw new Error('has expired')
    if (validity.notBeforeMs > nowMs) throw new Error('is not valid yet')
    return validity
  } catch (error) {
    throw invalidField('certificate', error instanceof Error ? error.message : String(error))
  }
}
