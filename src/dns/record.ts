/** DNS records as clients see them. */
import { z } from 'zod'
import { integer, timeMs } from '../db/record-fields.ts'
import { idSchema } from '../ids.ts'
import { recordTypes } from './types/rule.ts'

export const typeSchema = z.enum(recordTypes)

export const recordSchema = z
  .object({
    id: idSchema('record'),
    domain: z
      .string()
      .meta({ description: "The zone: the topmost of the team's domains at or above the record" }),
    name: z.string().meta({ description: 'Relative to the zone; @ for itself', examples: ['www'] }),
    fqdn: z.string().meta({ description: 'The name in full', examples: ['www.example.com'] }),
    type: typeSchema,
    value: z.string().meta({ description: 'In canonical form' }),
    ttl: integer.meta({ description: 'Seconds; one for all records of the name and type' }),
    priority: integer.nullable().meta({ description: 'Of MX and SRV' }),
    weight: integer.nullable().meta({ description: 'Of SRV' }),
    port: integer.nullable().meta({ description: 'Of SRV' }),
    comment: z.string().nullable(),
    managed: z.boolean().meta({ description: 'Whether the service itself writes it' }),
    created_ms: timeMs,
    updated_ms: timeMs,
  })
  .meta({ id: 'DnsRecord' })

/** A record as clients see it: `domain` is its zone, to which `name` is relative. */
export type DnsRecord = z.infer<typeof recordSchema>

/** What a zone holds. Times are Unix milliseconds, `ttl` seconds. */
export type ZoneRecord = Omit<DnsRecord, 'domain' | 'name'>

/** A record that an import adds, removes or changes; `name` is relative to the zone. */
const importedSchema = z.object({
  name: z.string(),
  type: typeSchema,
  value: z.string(),
  ttl: integer,
  priority: integer.nullable(),
  weight: integer.nullable(),
  port: integer.nullable(),
})

/** Of a line of the file. */
const noteSchema = z.object({ line: integer, message: z.string() })

/** What an import does, or would do. */
export const zoneChangesSchema = z.object({
  domain: z.string(),
  added: z.array(importedSchema),
  removed: z.array(importedSchema),
  changed: z.array(importedSchema.extend({ old_ttl: integer })),
  unchanged: integer,
  skipped: z.array(noteSchema),
  adjusted: z.array(noteSchema),
  applied: z.boolean(),
})

export type ZoneChanges = z.infer<typeof zoneChangesSchema>
