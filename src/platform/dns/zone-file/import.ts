/** Replaces a zone's records with those of a file, atomically. */
import { sql } from 'drizzle-orm'
import { inTurns } from '../../../lib/async/in-turns.ts'
import { newId } from '../../../lib/ids.ts'
import { reverseName } from '../../../lib/names/domain-name.ts'
import type { Database } from '../../../stores/db/database.ts'
import { records } from '../../../stores/db/schema/records.ts'
import type { NewEvent } from '../../../stores/events/record-events.ts'
import type { Actor } from '../../callers/actor.ts'
import { recordEvent, recordUpdatedEvent } from '../record-event.ts'
import type { ImportZone } from '../record-input.ts'
import { relativeName } from '../record-names.ts'
import type { ZoneChanges } from '../record-output.ts'
import { returnedStrings } from '../returned-strings.ts'
import type { RecordData } from '../types/rule.ts'
import { type ChangeDeps, changeZone, findZone, type Zone } from '../zone.ts'
import { type Growth, recordBytes, refuseTooLarge } from '../zone-size.ts'
import { type Plan, planImport } from './plan-import.ts'
import { readZone } from './read-zone-file.ts'
import { recordsOf } from './stored-records.ts'

/**
 * Replaces the team's records of the zone with those of a master file. Unchanged ones keep their id and
 * comment. With `skip`, lines that can't be imported are left out.
 * @throws AppError `domain_not_found`, `in_zone_of`, `invalid_input` with line numbers, `too_many_records`.
 */
export async function importZone(
  deps: ChangeDeps,
  actor: Actor,
  { domain: reference, zone: text, skip, dry_run: isDry }: ImportZone,
): Promise<ZoneChanges> {
  const { db } = deps.store
  const { zone, claim } = await findZone(db, actor.principal.teamId, reference)
  const file = await inTurns(readZone(text, claim.domain, skip))
  // Through a claim below another nothing can be changed, which is reported there.
  if (zone.id === claim.id) {
    const plan = await inTurns(planImport(file, await recordsOf(db, zone), skip))
    if (isDry) await refuseTooLarge(db, zone, growthOf(plan))
    if (isDry || isEmpty(plan)) return answerOf(zone, plan, !isDry)
  }
  return changeZone(deps, actor, { domain: reference }, async (tx, locked, { nowMs, publish }) => {
    const plan = await inTurns(planImport(file, await recordsOf(tx, locked), skip))
    await refuseTooLarge(tx, locked, growthOf(plan))
    if (!isDry) await publish(await apply(tx, locked, plan, nowMs))
    return answerOf(locked, plan, !isDry)
  })
}

function growthOf({ added, removed }: Plan): Growth {
  const bytesOf = (some: Parameters<typeof recordBytes>[0][]) =>
    some.reduce((sum, record) => sum + recordBytes(record), 0)
  return { records: added.length - removed.length, bytes: bytesOf(added) - bytesOf(removed) }
}

function isEmpty({ added, removed, changed }: Plan): boolean {
  return added.length + removed.length + changed.length === 0
}

/** Resolves to the events' data. */
async function apply(tx: Database, zone: Zone, plan: Plan, nowMs: number): Promise<NewEvent[]> {
  const removed = JSON.stringify(plan.removed.map(({ id }) => id))
  await tx.execute(
    sql`delete from ${records} where id = any(array(select json_array_elements_text(${removed}::json)))`,
  )
  const changed = JSON.stringify(plan.changed.map(({ record, ttl }) => ({ id: record.id, ttl })))
  await tx.execute(sql`
    update ${records} set ttl = changed.ttl, updated_ms = ${nowMs}::bigint
    from json_to_recordset(${changed}::json) as changed(id text, ttl integer)
    where ${records.id} = changed.id`)
  const added = plan.added.map((record) => ({
    ...record,
    id: newId('record', nowMs),
    reversed: reverseName(record.fqdn),
  }))
  await tx.execute(sql`
    insert into ${records} (id, team_id, domain_id, fqdn, reversed, type, value, strings, priority, weight,
      port, ttl, comment, created_ms, updated_ms)
    select id, ${zone.teamId}::text, ${zone.id}::text, fqdn, reversed, type, value, strings, priority, weight,
      port, ttl, comment, ${nowMs}::bigint, ${nowMs}::bigint
    from json_to_recordset(${JSON.stringify(added)}::json) as added(id text, fqdn text, reversed text,
      type text, value text, strings text[], priority integer, weight integer, port integer, ttl integer,
      comment text)`)
  return [
    ...plan.removed.map((record) => recordEvent('deleted', zone, record)),
    ...plan.changed.map(({ record, ttl }) => recordUpdatedEvent(zone, record, { ...record, ttl })),
    ...added.map((record) => recordEvent('created', zone, record)),
  ]
}

function answerOf(zone: Zone, plan: Plan, applied: boolean): ZoneChanges {
  const changeOf = (record: RecordData & { ttl: number }) => {
    const { fqdn, type, value, priority, weight, port, ttl } = record
    const name = relativeName(fqdn, zone.domain)
    return { name, type, value, strings: returnedStrings(record), priority, weight, port, ttl }
  }
  return {
    domain: zone.domain,
    added: plan.added.map(changeOf),
    removed: plan.removed.map(changeOf),
    changed: plan.changed.map(({ record, ttl }) => ({
      ...changeOf({ ...record, ttl }),
      old_ttl: record.ttl,
    })),
    unchanged: plan.unchanged,
    skipped: plan.skipped,
    adjusted: plan.adjusted,
    applied,
  }
}
