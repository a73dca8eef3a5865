/**
 * Families of names: everything at or below one registrable domain changes under one lock, with one serial.
 */
import { sql } from 'drizzle-orm'
import { databaseMs } from '../../stores/db/database-clock.ts'
import { registrableDomains } from '../../stores/db/schema/domains.ts'
import type { Transaction } from '../../stores/db/transaction.ts'

/**
 * Locks the families of these registrable domains until the transaction ends, raises their serials (RFC 1982;
 * at least Unix time in seconds, so that serials lost with a database aren't reused) and announces the
 * change. The first step of every transaction that changes a claim or a record.
 */
export async function changeFamilies(tx: Transaction, registrables: string[], nowMs: number): Promise<void> {
  const names = [...new Set(registrables)].sort()
  if (names.length === 0) return
  const serial = Math.floor(nowMs / 1000)
  await tx
    .insert(registrableDomains)
    .values(names.map((name) => ({ name, serial, changedMs: databaseMs })))
    .onConflictDoUpdate({
      target: registrableDomains.name,
      set: { serial: sql`greatest(${registrableDomains.serial} + 1, ${serial})`, changedMs: databaseMs },
    })
  for (const id of names) tx.announce({ kind: 'domain', id })
}
