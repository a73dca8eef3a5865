/** Which mutations may be sent again without knowing what became of the first. */

/**
 * `as-is`: `PUT` and `DELETE` of the REST API, and what changes nothing. `with-key`: each `POST`, which takes
 * effect once per Idempotency-Key. The others are not here, nor is `teams.put`: of its responses only the
 * first has the new team's key.
 */
const repeatable: Partial<Record<string, 'as-is' | 'with-key'>> = {
  'deployments.create': 'with-key',
  'deployments.promote': 'with-key',
  'deployments.delete': 'as-is',
  'projects.put': 'as-is',
  'projects.delete': 'as-is',
  'domains.put': 'as-is',
  'domains.verify': 'with-key',
  'domains.delete': 'as-is',
  'dns.create': 'with-key',
  'dns.put': 'as-is',
  'dns.delete': 'as-is',
  'webhooks.create': 'with-key',
  'webhooks.delete': 'as-is',
  'teams.delete': 'as-is',
  'tokens.createKey': 'with-key',
  'tokens.revokeKey': 'as-is',
  'tokens.mint': 'as-is',
}

/** How a call may be sent again; undefined if only a refusal, which leaves no effect, allows it. */
export function repeatableAs({
  type,
  path,
}: {
  type: string
  path: string
}): 'as-is' | 'with-key' | undefined {
  return type === 'query' ? 'as-is' : repeatable[path]
}
