/** How a domain is pointed here. */
import type { Domain } from './state'

export function TargetNote({ domain: { domain, expected, nameservers } }: { domain: Domain }) {
  if (expected.length === 0) {
    return nameservers.length > 0
      ? 'Delegate the domain to these name servers.'
      : 'The operator has not set where domains point to.'
  }
  if (expected.some(({ type }) => type === 'ALIAS')) {
    return (
      <>
        {domain} is the domain itself, where no CNAME is possible. Create this record as what your DNS
        provider calls ALIAS, ANAME or CNAME flattening
        {nameservers.length > 0 && '; if it has none of them, delegate the domain'}.
      </>
    )
  }
  return 'Add these records at the present DNS provider, and remove others of this name.'
}
