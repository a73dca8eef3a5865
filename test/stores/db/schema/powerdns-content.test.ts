/** PowerDNS gets every field of a record, whatever its type. */
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { recordTypes } from '../../../../src/lib/names/record-types.ts'
import type { TypeRule } from '../../../../src/platform/dns/types/rule.ts'
import { rules } from '../../../../src/platform/dns/types/rules.ts'
import { powerdnsContents } from '../../../../src/stores/db/schema/powerdns-content.ts'

const columnsOf: Record<TypeRule['numbers'][number], string | undefined> = {
  // A column of its own in PowerDNS.
  priority: undefined,
  weight: 'record.weight',
  port: 'record.port',
}

it.each(recordTypes)('%s: its numbers and its value', (type) => {
  const { sql } = new PgDialect().sqlToQuery(powerdnsContents[type])
  const columns = rules[type].numbers.flatMap((number) => columnsOf[number] ?? [])
  for (const column of ['record.value', ...columns]) expect(sql).toContain(column)
})
