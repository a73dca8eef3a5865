/** Whether a domain leads to the edge. */
import { isIPv6 } from 'node:net'
import type { Routing } from '../../zones/edge-targets.ts'
import { type CheckError, notRouted, resolverFailed } from './check-error.ts'
import { failureAmong, type LookUp, valuesOf } from './look-up.ts'

/** `unknown` where the resolvers couldn't tell, which changes nothing. */
export type Route = { state: 'here' } | { state: 'elsewhere' | 'unknown'; error: CheckError }

/**
 * A domain leads here if it is an alias of the edge's name, or if all its addresses are the edge's, or those
 * that this name has: an apex and a chain of aliases show no more than that.
 */
export function judgeRoute(domain: string, lookUp: LookUp, { addresses, cname }: Routing): Route {
  const targets = valuesOf(lookUp.alias).map((name) => name.toLowerCase().replace(/\.$/, ''))
  if (cname !== undefined && targets.includes(cname)) return { state: 'here' }
  const own = new Set([...addresses, ...lookUp.targetAddresses.flatMap(valuesOf)].map(canonical))
  const seen = lookUp.addresses.flatMap(valuesOf)
  const strange = seen.filter((address) => !own.has(canonical(address)))
  const failure = failureAmong([
    ...lookUp.addresses,
    ...(strange.length > 0 || seen.length === 0 ? [lookUp.alias, ...lookUp.targetAddresses] : []),
  ])
  if (failure) return { state: 'unknown', error: resolverFailed(failure) }
  // Beside ours, that is: names with only such addresses are not revealed.
  const hides = lookUp.addresses.some((answer) => 'hidden' in answer)
  if (seen.length > 0 && strange.length === 0 && !hides) return { state: 'here' }
  const expected = [...(cname === undefined ? [] : [cname]), ...addresses]
  return {
    state: 'elsewhere',
    error: notRouted(domain, expected, hides && seen.length > 0 ? [...strange, privateOnes] : strange),
  }
}

const privateOnes = 'what is in a private network'

/** One spelling for each address (RFC 5952). */
function canonical(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname : address
}
