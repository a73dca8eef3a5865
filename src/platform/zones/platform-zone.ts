/** The zone of the sites' domain, which the name server serves where it is delegated to it. */
import { isAddress, registrableOf } from '../../lib/names/domain-name.ts'
import { isLocalName } from '../../lib/names/local-name.ts'
import { type Routing, targetsOf } from './edge-targets.ts'

/** `host` and all names below it have these records. */
export type PlatformZone = { host: string; registrable: string; targets: ReturnType<typeof targetsOf> }

/** Undefined where no name server is named, or the sites' domain can't be delegated. */
export function platformZoneOf(
  sitesUrl: string,
  routing: Routing,
  nameservers: string[],
): PlatformZone | undefined {
  const host = new URL(sitesUrl).hostname
  const registrable = registrableOf(host)
  if (nameservers.length === 0 || isAddress(host) || isLocalName(host) || registrable === undefined) {
    return undefined
  }
  return { host, registrable, targets: targetsOf(routing) }
}
