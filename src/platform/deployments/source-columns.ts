/** The columns of a deployment that say by what it was made. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { type Deployer, keyIdOf } from '../callers/actor.ts'
import { keyName } from '../callers/key-name.ts'
import { issuerName } from '../callers/workloads/issuers.ts'
import { forgeNames } from '../projects/forge-names.ts'
import type { DeploymentInput } from './requested-sources.ts'
import { sourceKindOf } from './source.ts'

/** The columns for a request of this caller. */
export function sourceColumns(tx: Database, actor: Deployer, input: DeploymentInput) {
  return {
    sourceKind: kindOf(actor, input),
    sourceName: sourceName(tx, actor),
    redeployOf: input.from ?? null,
    untrusted: input.untrusted ?? false,
  }
}

function kindOf({ principal }: Deployer, { from, zip, agent }: DeploymentInput) {
  if (principal.kind === 'hook' || principal.kind === 'forge') return principal.kind
  if (principal.kind === 'workload') return 'oidc'
  return from === undefined ? (zip?.source ?? sourceKindOf(principal, agent)) : 'redeploy'
}

/** One text for all kinds, since the statement that it is a part of is prepared by name. */
function sourceName(tx: Database, { principal }: Deployer): SQL<string | null> {
  return sql<string | null>`coalesce(${givenName(principal)}::text, ${keyName(tx, keyIdOf(principal))})`
}

function givenName(principal: Deployer['principal']): string | null {
  if (principal.kind === 'hook') return principal.hookName
  if (principal.kind === 'forge') return forgeNames[principal.forge]
  return principal.kind === 'workload' ? issuerName(principal.issuer) : null
}
