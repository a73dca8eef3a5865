/** The changes of alerts that the operator is to know, in rows that all nodes share: each once. */
import { and, asc, eq, isNotNull, lt, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { operatorAlerts } from '../../../stores/db/schema/operator-alerts.ts'
import { type Alert, lesserOf } from '../alerts/alert.ts'
import { beginsEveryMs, lastsEveryMs } from '../alerts/say-changes.ts'

const minuteMs = 60_000

/** How often a node notes that it still sees an alert. */
const seenEveryMs = minuteMs

/**
 * Nodes look at what they share up to a minute apart: an alert of the installation is over when nobody has
 * seen it for longer.
 */
const unseenMs = 3 * minuteMs

/** The row of a node that is gone. */
const forgottenMs = 2 * 24 * 60 * minuteMs

/** How long a notice is left to the node that sends it. */
const leaseMs = 2 * minuteMs

const mostAtOnce = 50

/** The pause after each attempt that failed; after the last one the change is not sent. */
const pausesMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * 60 * minuteMs]

export type NotedRow = typeof operatorAlerts.$inferSelect

type Key = Pick<NotedRow, 'machine' | 'name' | 'place'>

/** `machine` is this node's. */
type At = { machine: string; nowMs: number }

/**
 * Notes what has begun, lasts for another day, or is over, for whichever node sends it: each change once,
 * whoever sees it first. As in `saidNow`, what comes and goes begins once an hour at most.
 */
export async function noteAlerts(db: Database, alerts: Alert[], at: At): Promise<void> {
  if (alerts.length > 0) {
    await notePresent(db, alerts, at)
    await noteSeen(db, alerts, at)
  }
  await noteOver(db, alerts, at)
  await db.delete(operatorAlerts).where(lt(operatorAlerts.seenMs, at.nowMs - forgottenMs))
}

function keyOf({ name, place, isOfMachine }: Alert, machine: string): Key {
  return { machine: isOfMachine ? machine : '', name, place }
}

function isOneOf(keys: Key[]): SQL | undefined {
  const { machine, name, place } = operatorAlerts
  return or(...keys.map((key) => and(eq(machine, key.machine), eq(name, key.name), eq(place, key.place))))
}

async function notePresent(db: Database, alerts: Alert[], { machine, nowMs }: At): Promise<void> {
  const { isOn, begunMs, saidMs } = operatorAlerts
  const rows = alerts.map((alert) => ({
    ...keyOf(alert, machine),
    alert: { figure: alert.figure, unit: alert.unit, message: alert.message },
    isOn: true,
    begunMs: nowMs,
    saidMs: nowMs,
    seenMs: nowMs,
    change: 'begins',
    dueMs: nowMs,
  }))
  await db
    .insert(operatorAlerts)
    .values(rows)
    .onConflictDoUpdate({
      target: [operatorAlerts.machine, operatorAlerts.name, operatorAlerts.place],
      set: {
        alert: sql`excluded.alert`,
        isOn: true,
        begunMs: sql`case when ${isOn} then ${begunMs} else excluded.begun_ms end`,
        saidMs: nowMs,
        seenMs: nowMs,
        change: sql`case when ${isOn} then 'lasts' else 'begins' end`,
        dueMs: nowMs,
        attempts: 0,
      },
      setWhere: sql`case when ${isOn} then ${saidMs} <= ${nowMs - lastsEveryMs}::bigint
        else ${begunMs} <= ${nowMs - beginsEveryMs}::bigint end`,
    })
}

async function noteSeen(db: Database, alerts: Alert[], { machine, nowMs }: At): Promise<void> {
  const isPresent = isOneOf(alerts.map((alert) => keyOf(alert, machine)))
  await db
    .update(operatorAlerts)
    .set({ seenMs: nowMs })
    .where(and(isPresent, lte(operatorAlerts.seenMs, nowMs - seenEveryMs)))
}

/** Alerts that were never sent to have begun, or have grown worse, are not sent to be over. */
async function noteOver(db: Database, alerts: Alert[], { machine, nowMs }: At): Promise<void> {
  const { isOn, change, seenMs } = operatorAlerts
  const isPresent = isOneOf(alerts.map((alert) => keyOf(alert, machine)))
  const lesser = alerts.flatMap((alert) => {
    const name = lesserOf(alert)
    return name ? [{ ...keyOf(alert, machine), name }] : []
  })
  const isUnsent = sql`coalesce(${change} = 'begins', false)`
  const isSilent = lesser.length > 0 ? or(isUnsent, isOneOf(lesser)) : isUnsent
  const isMine = or(
    eq(operatorAlerts.machine, machine),
    and(eq(operatorAlerts.machine, ''), lte(seenMs, nowMs - unseenMs)),
  )
  await db
    .update(operatorAlerts)
    .set({
      isOn: false,
      change: sql`case when ${isSilent} then null else 'ends' end`,
      dueMs: nowMs,
      attempts: 0,
    })
    .where(and(isOn, isMine, isPresent && not(isPresent)))
}

/** Claims the changes that are due: until the lease ends no other node has them. */
export async function claimChanges(db: Database, nowMs: number): Promise<NotedRow[]> {
  const { machine, name, place, change, dueMs, attempts } = operatorAlerts
  const due = db
    .select({ machine, name, place })
    .from(operatorAlerts)
    .where(and(isNotNull(change), lte(dueMs, nowMs)))
    .orderBy(asc(dueMs))
    .limit(mostAtOnce)
    .for('update', { skipLocked: true })
  return db
    .update(operatorAlerts)
    .set({ dueMs: nowMs + leaseMs, attempts: sql`${attempts} + 1` })
    .where(sql`(${machine}, ${name}, ${place}) in (${due})`)
    .returning()
}

/** Ends claims: what was sent is done, and what was not is due again, until it was tried five times. */
export async function settleChanges(
  db: Database,
  claimed: NotedRow[],
  isSent: boolean,
  nowMs: number,
): Promise<void> {
  const { attempts, change, dueMs } = operatorAlerts
  const pauses = sql.join(
    pausesMs.map((pauseMs, index) => sql`when ${index + 1} then ${pauseMs}::bigint`),
    sql` `,
  )
  const isDone = isSent ? sql`true` : sql`${attempts} > ${pausesMs.length}`
  await db
    .update(operatorAlerts)
    .set({
      change: sql`case when ${isDone} then null else ${change} end`,
      dueMs: sql`${nowMs}::bigint + coalesce(case ${attempts} ${pauses} end, 0)`,
    })
    .where(and(isOneOf(claimed), eq(dueMs, claimed[0]?.dueMs ?? 0)))
}
