/** DNS records as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { recordTypes, spfMessage } from '../../lib/names/record-types.ts'
import { integer, timeMs } from '../../stores/db/record-fields.ts'

export const typeSchema = z.enum(recordTypes, {
  error: ({ input }) => (input === 'SPF' ? spfMessage : undefined),
})

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
    strings: z.array(z.string()).nullable().meta({
      description:
        'Of a TXT: the strings of its value, unless those are of 255 bytes each and it is not in quotes',
    }),
    ttl: integer.meta({ description: 'Seconds; one for all records of the name and type' }),
    priority: integer.nullable().meta({ description: 'Of HTTPS, MX, SRV and SVCB' }),
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

/** A record of a zone. Times are Unix milliseconds, `ttl` seconds. */
export type ZoneRecord = Omit<DnsRecord, 'domain' | 'name'>

/** A record that an import adds, removes or changes; `name` is relative to the zone. */
const importedSchema = z.object({
  name: z.string(),
  type: typeSchema,
  value: z.string(),
  strings: z.array(z.string()).nullable(),
  ttl: integer,
  priority: integer.nullable(),
  weight: integer.nullable(),
  port: integer.nullable(),
})

/** A note about a line of the file. */
const noteSchema = z.object({ line: integer, message: z.string() })

/** The changes of an import, applied or not. */
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
