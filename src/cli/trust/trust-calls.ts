/**
 * BRIDGE: the calls of `trust`, which the router's types don't have yet. When they do, this file goes, and
 * `trustOf(api)` becomes `api.trust`.
 */

export type Target = 'preview' | 'production'

type Policy = {
  id: string
  issuer: string
  claims: Record<string, string>
  targets: Target[]
  created_by: string
  created_by_name: string
  created_ms: number
  last_used_ms: number
}

type Created = { project: string; issuer: string; claims: Record<string, string>; targets: Target[] }

type Trust = {
  create: { mutate(input: Created): Promise<Policy> }
  list: { query(input: { project: string }, options?: object): Promise<{ data: Policy[] }> }
  revoke: { mutate(input: { project: string; id: string }): Promise<{ id: string; deleted: true }> }
}

/** The calls of a client. */
export function trustOf(api: unknown): Trust {
  if (hasTrust(api)) return api.trust
  throw new TypeError('This client has no calls.')
}

/** A client has whatever is called. */
function hasTrust(api: unknown): api is { trust: Trust } {
  return api !== undefined
}
