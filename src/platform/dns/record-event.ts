/** The data of DNS record events. */
import { type Change, differences } from '../../stores/events/changes.ts'
import { shortText } from '../../stores/events/limit-event-size.ts'
import type { NewEvent } from '../../stores/events/record-events.ts'
import { relativeName } from './record-names.ts'
import type { RecordData } from './types/rule.ts'
import type { Zone } from './zone.ts'

/** The data of events about a record. */
export type RecordSummary = RecordData & { id: string; ttl: number }

/** The event of a change of a record of the zone, which is `record` now. */
export function recordEvent(kind: 'created' | 'deleted', zone: Zone, record: RecordSummary): NewEvent {
  return { teamId: zone.teamId, type: `record.${kind}`, data: { record: dataOf(zone, record) } }
}

/** The event of a record of the zone that was `before`. */
export function recordUpdatedEvent(zone: Zone, before: Commented, record: Commented): NewEvent {
  const changes = changesOf(zone, before, record)
  return { teamId: zone.teamId, type: 'record.updated', data: { record: dataOf(zone, record), changes } }
}

/** A remark is no part of what is served. */
type Commented = RecordSummary & { comment?: string | null }

function changesOf({ domain }: Zone, before: Commented, after: Commented): Change[] {
  const fieldsOf = ({ fqdn, value, ttl, priority, weight, port, comment }: Commented) => ({
    name: relativeName(fqdn, domain),
    value,
    ttl,
    priority,
    weight,
    port,
    comment: comment ?? null,
  })
  return differences(fieldsOf(before), fieldsOf(after))
}

function dataOf({ domain }: Zone, record: RecordSummary) {
  const { id, fqdn, type, value, ttl, priority, weight, port } = record
  const name = relativeName(fqdn, domain)
  return { id, domain, name, type, value: shortText(value), ttl, priority, weight, port }
}
