/** Checks a record before it is created or changed. */
import { z } from 'zod'
import { AppError, type Reason } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import type { Store } from '../../stores/db/store.ts'
import { planChange, planCreation, refuseLargerChange } from './plan-record.ts'
import type { CheckRecord, NewRecord } from './record-input.ts'
import { relativeName } from './record-names.ts'
import { recordSchema } from './record-output.ts'
import { returnedStrings } from './returned-strings.ts'
import { findZone, refuseBelowZone, type Zone } from './zone.ts'

const problemSchema = z.object({
  reason: z.string(),
  message: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

const plannedSchema = recordSchema.pick({
  name: true,
  fqdn: true,
  type: true,
  value: true,
  strings: true,
  ttl: true,
  priority: true,
  weight: true,
  port: true,
})

/** One of the two is null. */
export const checkedSchema = z.object({
  problem: problemSchema.nullable().meta({ description: 'Why it would be refused' }),
  record: plannedSchema.nullable().meta({ description: 'As it would be stored' }),
})

type Checked = z.infer<typeof checkedSchema>

/** Refusals that are about the record; any other is the caller's error. */
const problems: Reason[] = ['invalid_input', 'in_zone_of', 'record_conflict', 'too_many_records']

/**
 * The result that creating the record, or changing the one named, would have now. Nothing is written or
 * locked.
 * @throws AppError `domain_not_found`, `record_not_found`.
 */
export async function checkRecord(
  { store: { db } }: { store: Store },
  teamId: string,
  { domain, record: id, ...input }: CheckRecord,
): Promise<Checked> {
  const found = await findZone(db, teamId, domain)
  try {
    refuseBelowZone(found, input.name)
    const { zone } = found
    const wanted = id === undefined ? await planCreation(db, zone, input) : await changed(db, zone, id, input)
    const name = relativeName(wanted.fqdn, zone.domain)
    return { problem: null, record: { ...wanted, strings: returnedStrings(wanted), name } }
  } catch (error) {
    if (!(error instanceof AppError) || !problems.includes(error.reason)) throw error
    const { reason, message, issues } = error
    return { problem: { reason, message, issues }, record: null }
  }
}

async function changed(db: Database, zone: Zone, id: string, input: NewRecord) {
  const plan = await planChange(db, zone, id, input)
  await refuseLargerChange(db, zone, plan)
  return plan.wanted
}
