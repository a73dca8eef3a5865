/** The inputs of requests about DNS records. */
import { z } from 'zod'
import { pageInput } from '../../stores/db/page-schema.ts'
import { commentSchema, defaultTtl, ttlSchema, uint16 } from './fields.ts'
import { typeSchema } from './record-output.ts'

const domainReference = z
  .string()
  .min(1)
  .max(300)
  .meta({ description: "A domain's name or id", examples: ['example.com'] })

/** The name of the zone itself, with the longest that can stand before it. */
const name = z
  .string()
  .min(1)
  .max(300)
  .meta({
    description:
      'Relative to the domain, @ for the domain itself; absolute with a dot at the end. ' +
      '* as the first label: any name',
    examples: ['www'],
  })

const value = z
  .string()
  .max(64_000)
  .meta({
    description:
      'In the format of the type. TXT: the text as it is, or in quotes as zone files have it: ' +
      '"v=DKIM1; k=rsa; " "p=..."; beside strings only as it is',
  })

const strings = z.array(z.string().max(255)).min(1).max(1_000).nullable().optional()

const settings = {
  ttl: ttlSchema
    .nullable()
    .optional()
    .meta({ description: `Seconds, for all records of the name and type; default ${defaultTtl}` }),
  priority: uint16
    .nullable()
    .optional()
    .meta({ description: 'HTTPS, MX, SRV and SVCB: lower is tried first; 0 makes HTTPS and SVCB an alias' }),
  weight: uint16.nullable().optional().meta({ description: 'SRV: the share among records of one priority' }),
  port: uint16.nullable().optional().meta({ description: 'SRV only' }),
  comment: commentSchema.nullable().optional(),
}

/** A record to create. */
export const createRecordInput = z.strictObject({
  domain: domainReference,
  name,
  type: typeSchema,
  value,
  strings: strings.meta({
    description: 'TXT: the strings that make up the value; default: of 255 bytes each',
  }),
  ...settings,
})

export const recordReference = z.strictObject({
  domain: domainReference,
  record: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The record's id", examples: ['rec_019aa5d3f2306ab18c94e57d03fb2a66'] }),
})

export const listRecordsInput = z.strictObject({
  domain: domainReference,
  ...pageInput,
  name: name.optional().meta({ description: 'Only those of this name, relative to the zone' }),
  type: typeSchema.optional().meta({ description: 'Only those of this type' }),
})

/**
 * The fields of a record that change; an omitted one keeps its value, null clears it, a TTL back to its
 * default.
 */
export const putRecordInput = recordReference.extend({
  name: name.optional(),
  type: typeSchema.optional().meta({ description: "The record's own: it can't be changed" }),
  value: value.optional(),
  strings: strings.meta({
    description:
      'TXT: the strings that make up the value, which may be omitted then; a new value alone clears them',
  }),
  ...settings,
})

/** A record to create, or to change where `record` names one. */
export const checkRecordInput = createRecordInput.extend({ record: recordReference.shape.record.optional() })

export const zoneReference = z.strictObject({ domain: domainReference })

/** Larger than the largest zone, as long as most of its text is ASCII. */
const zoneFile = z.string().max(6_000_000)

export const importZoneInput = zoneReference.extend({
  zone: zoneFile,
  skip: z.boolean().default(false).meta({ description: "Whether lines that can't be imported are left out" }),
  dry_run: z.boolean().default(false),
})

export type NewRecord = Omit<z.infer<typeof createRecordInput>, 'domain'>

/** The fields of a record that its type decides about. */
export type RecordInput = Omit<NewRecord, 'ttl' | 'comment'>

export type RecordChanges = Omit<z.infer<typeof putRecordInput>, 'domain' | 'record'>

export type CheckRecord = z.infer<typeof checkRecordInput>

export type ListRecords = Omit<z.infer<typeof listRecordsInput>, 'domain'>

export type ImportZone = z.infer<typeof importZoneInput>
