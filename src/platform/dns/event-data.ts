/** The data of DNS record events. */
import { shortText } from '../../stores/events/limit-event-size.ts'
import type { NewEvent } from '../../stores/events/record-events.ts'
import { relativeName } from './names.ts'
import type { RecordData } from './types/rule.ts'
import type { Zone } from './zone.ts'

/** The data of events about a record. */
export type RecordSummary = RecordData & { id: string; ttl: number }

/** The event of a change of a record of the zone, which is `record` now. */
export function recordEvent(
  kind: 'created' | 'updated' | 'deleted',
  { teamId, domain }: Zone,
  record: RecordSummary,
): NewEvent {
  const { id, fqdn, type, value, ttl, priority, weight, port } = record
  const name = relativeName(fqdn, domain)
  return {
    teamId,
    type: `record.${kind}`,
    data: { record: { id, domain, name, type, value: shortText(value), ttl, priority, weight, port } },
  }
}
