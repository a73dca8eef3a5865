/** Creates a record in a zone. */

import { newId } from '../../lib/ids.ts'
import { reverseName } from '../../lib/names/domain-name.ts'
import { records } from '../../stores/db/schema/records.ts'
import type { Actor } from '../callers/actor.ts'
import type { Remember } from '../idempotency/once.ts'
import { shareTtl } from './name-records.ts'
import { planCreation } from './plan-record.ts'
import { toRecord } from './read-record.ts'
import { recordEvent, recordUpdatedEvent } from './record-event.ts'
import type { NewRecord } from './record-input.ts'
import type { DnsRecord } from './record-output.ts'
import { type ChangeDeps, changeZone } from './zone.ts'

/**
 * Creates the record in the zone that `domain` is the name or id of, and gives those of its name and type its
 * `ttl`; without one it takes theirs.
 * @throws AppError `domain_not_found`, `in_zone_of`, `invalid_input`, `record_conflict`, `too_many_records`.
 */
export function createRecord(
  deps: ChangeDeps,
  actor: Actor,
  { domain, ...input }: NewRecord & { domain: string },
  remember?: Remember,
): Promise<DnsRecord> {
  return changeZone(deps, actor, { domain, recordName: input.name }, async (tx, zone, { nowMs, publish }) => {
    const { teamId } = zone
    const wanted = await planCreation(tx, zone, input)
    const siblings = await shareTtl(tx, teamId, wanted, nowMs)
    const id = newId('record', nowMs)
    await tx.insert(records).values({
      ...wanted,
      id,
      teamId,
      domainId: zone.id,
      reversed: reverseName(wanted.fqdn),
      createdMs: nowMs,
      updatedMs: nowMs,
    })
    const stored = { ...wanted, id, managed: false, created_ms: nowMs, updated_ms: nowMs }
    await publish([
      recordEvent('created', zone, stored),
      ...siblings.map((sibling) => recordUpdatedEvent(zone, sibling, { ...sibling, ttl: wanted.ttl })),
    ])
    const record = toRecord(zone, stored)
    await remember?.(tx, record)
    return record
  })
}
