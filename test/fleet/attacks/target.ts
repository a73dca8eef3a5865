/** What the attacker knows: the fleet as a stranger sees it, teams of its own, and what forges send. */
import { z } from 'zod'

const hookSchema = z.strictObject({
  /** The path of the hook, and what the forge signs with. */
  path: z.string(),
  secret: z.string(),
  /** The address of the repository at the forge. */
  repository: z.string(),
})

export const targetSchema = z.strictObject({
  /** The port of the load balancer, which the forge sends to, as the load does. */
  balancerPort: z.int(),
  /** Ports of nodes, for what a load balancer would keep to itself. */
  apiPorts: z.array(z.int()),
  edges: z.array(z.strictObject({ port: z.int(), tlsPort: z.int() })),
  dnsPort: z.int(),
  /** The domain of the sites. */
  sitesDomain: z.string(),
  /** The attacker's own teams, each with an owner key. */
  teams: z.array(z.strictObject({ slug: z.string(), key: z.string() })),
  /** A site of the attacker's with a file of four megabytes. */
  large: z.strictObject({ host: z.string(), path: z.string() }),
  ownHook: hookSchema,
  /** Of others: what pull requests at the forge are about, and names that resolvers ask for. */
  others: z.array(hookSchema.extend({ branch: z.string(), zone: z.string(), host: z.string() })),
})

export type Target = z.infer<typeof targetSchema>
export type Hook = z.infer<typeof hookSchema>

/** An address of the attacker's, which has many. */
export function attackerAddress(index: number): string {
  return `127.1.${Math.floor(index / 200) % 200}.${(index % 200) + 2}`
}

/** One of them, in turns. @throws when there is none. */
export function inTurn<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}
