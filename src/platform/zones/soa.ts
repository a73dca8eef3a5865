/** The SOA of every zone (RFC 1035, section 3.3.13), and the names of its servers. */

/** Times in seconds; `minimum` is the negative TTL (RFC 2308, section 4). */
export type Soa = {
  mname: string
  rname: string
  serial: number
  refresh: number
  retry: number
  expire: number
  minimum: number
}

/** The TTL of the SOA and NS records at an apex, in seconds. */
export const apexTtl = 3_600

/** The SOA of the zone at `apex`; its first name server is the primary. */
export function soaOf(zone: { apex: string; serial: number; nameservers: string[] }): Soa {
  const { apex, serial, nameservers } = zone
  return {
    mname: nameservers[0] ?? apex,
    rname: `hostmaster.${apex}`,
    serial: serial % 2 ** 32,
    refresh: 3_600,
    retry: 600,
    expire: 604_800,
    minimum: 300,
  }
}

/** The names of the name servers: those of the settings, else one below the sites' domain. */
export function nameserversOf(nameservers: string[], sitesUrl: string): string[] {
  return nameservers.length > 0 ? nameservers : [`ns1.${new URL(sitesUrl).hostname}`]
}
