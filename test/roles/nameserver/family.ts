/** Families built by hand. */
import { atOnce } from '../../../src/lib/async/in-turns.ts'
import { registrableOf } from '../../../src/lib/names/domain-name.ts'
import { buildFamily, type ServedRow } from '../../../src/roles/nameserver/zones/build-family.ts'
import type { Family } from '../../../src/roles/nameserver/zones/zone.ts'

type Given = Partial<ServedRow> & Pick<ServedRow, 'fqdn' | 'type' | 'value'>

/** A row of `team` (team a by default), with a TTL of 300. */
export function row(given: Given): ServedRow {
  return { teamId: 'a', ttl: 300, strings: null, priority: null, weight: null, port: null, ...given }
}

/** The family of verified names, by team, with its rows. */
export function familyOf(proven: Record<string, string>, rows: ServedRow[]): Family {
  const [first = ''] = Object.keys(proven)
  const family = atOnce(
    buildFamily({
      registrable: registrableOf(first) ?? '',
      serial: 7,
      proven: Object.entries(proven).map(([domain, teamId]) => ({ domain, teamId })),
      rows,
      nameservers: ['ns1.svc.test', 'ns2.svc.test'],
    }),
  )
  if (!family) throw new Error('Nothing is proven.')
  return family
}
