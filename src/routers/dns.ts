/** DNS records. */
import { z } from 'zod'
import { integer } from '../db/record-fields.ts'
import { checkedSchema, checkRecord } from '../dns/check.ts'
import { createRecord } from '../dns/create.ts'
import { deleteRecord } from '../dns/delete.ts'
import { commentSchema, defaultTtl, ttlSchema } from '../dns/fields.ts'
import { listRecords } from '../dns/list.ts'
import { putRecord } from '../dns/put.ts'
import { getRecord } from '../dns/read.ts'
import { recordSchema, typeSchema, zoneChangesSchema } from '../dns/record.ts'
import { uint16 } from '../dns/types/rule.ts'
import { exportZone } from '../dns/zone-file/export.ts'
import { importZone } from '../dns/zone-file/import.ts'
import { procedure, router } from '../trpc/init.ts'
import { deleted, pageInput, pageOf } from './schemas.ts'

const tags = ['DNS']

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
      'Relative to the domain, @ for the domain itself; absolute with a dot at the end. * as the first label: any name',
    examples: ['www'],
  })

const value = z
  .string()
  .min(1)
  .max(64_000)
  .meta({ description: 'In the format of the type; TXT: the text, unquoted' })

const settings = {
  ttl: ttlSchema
    .nullable()
    .optional()
    .meta({ description: `Seconds, for all records of the name and type; default ${defaultTtl}` }),
  priority: uint16.nullable().optional().meta({ description: 'MX and SRV: lower is tried first' }),
  weight: uint16.nullable().optional().meta({ description: 'SRV: the share among records of one priority' }),
  port: uint16.nullable().optional().meta({ description: 'SRV only' }),
  comment: commentSchema.nullable().optional(),
}

const newRecord = z.strictObject({ domain: domainReference, name, type: typeSchema, value, ...settings })

const reference = z.strictObject({
  domain: domainReference,
  record: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The record's id", examples: ['rec_019aa5d3f2306ab18c94e57d03fb2a66'] }),
})

/** Larger than the largest zone, as long as most of its text is ASCII. */
const zoneFile = z.string().max(6_000_000)

export const dnsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/domains/{domain}/records',
        tags,
        summary: 'List DNS records',
        description:
          'Newest first, including managed ones. For a domain below another of the team: the part of ' +
          'its zone at or below it.',
        successDescription: 'A page of records',
      },
      reasons: ['domain_not_found'],
    })
    .input(
      z.strictObject({
        domain: domainReference,
        ...pageInput,
        name: name.optional().meta({ description: 'Only those of this name, relative to the zone' }),
        type: typeSchema.optional().meta({ description: 'Only those of this type' }),
      }),
    )
    .output(pageOf(recordSchema))
    .query(({ ctx: { services, principal }, input: { domain, ...options } }) =>
      listRecords(services, principal.teamId, domain, options),
    ),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/domains/{domain}/records',
        tags,
        summary: 'Create a DNS record',
        description:
          "Use the topmost of the team's domains; one below it is 409 in_zone_of. A record that " +
          'conflicts with existing ones is 409 record_conflict.',
        successDescription: 'The record',
      },
      reasons: ['domain_not_found', 'in_zone_of', 'record_conflict', 'too_many_records'],
    })
    .input(newRecord)
    .output(recordSchema)
    .mutation(({ ctx, input }) => createRecord(ctx.services, ctx, input, ctx.remember)),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/domains/{domain}/records/{record}',
        tags,
        summary: 'Get a DNS record',
        description: 'Including managed ones.',
        successDescription: 'The record',
      },
      reasons: ['domain_not_found', 'record_not_found'],
    })
    .input(reference)
    .output(recordSchema)
    .query(({ ctx: { services, principal }, input }) =>
      getRecord(services, principal.teamId, input.domain, input.record),
    ),

  put: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/domains/{domain}/records/{record}',
        tags,
        summary: 'Change a DNS record',
        description:
          'A field left out keeps its value, null clears it. The type stays; a managed record is 409 ' +
          'record_conflict.',
        successDescription: 'The record',
      },
      reasons: ['domain_not_found', 'record_not_found', 'in_zone_of', 'record_conflict', 'too_many_records'],
    })
    .input(
      reference.extend({
        name: name.optional(),
        type: typeSchema.optional().meta({ description: "The record's own: it can't be changed" }),
        value: value.optional(),
        ...settings,
      }),
    )
    .output(recordSchema)
    .mutation(({ ctx, input: { domain, record, ...changes } }) =>
      putRecord(ctx.services, ctx, { domain, record }, changes),
    ),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/domains/{domain}/records/{record}',
        tags,
        summary: 'Delete a DNS record',
        description: 'It is no longer served. A managed record is 409 record_conflict.',
        successDescription: 'The record was deleted',
      },
      reasons: ['domain_not_found', 'record_not_found', 'in_zone_of', 'record_conflict'],
    })
    .input(reference)
    .output(deleted('record'))
    .mutation(({ ctx, input }) => deleteRecord(ctx.services, ctx, input.domain, input.record)),

  /** For forms, while they are filled in; RPC only. */
  check: procedure
    .input(newRecord.extend({ record: reference.shape.record.optional() }))
    .output(checkedSchema)
    .query(({ ctx: { services, principal }, input }) => checkRecord(services, principal.teamId, input)),

  /** For `svc dns export` and the like; RPC only. */
  exportZone: procedure
    .input(z.strictObject({ domain: domainReference }))
    .output(z.object({ domain: z.string(), serial: integer, zone: z.string() }))
    .query(({ ctx: { services, principal }, input }) => exportZone(services, principal.teamId, input.domain)),

  importZone: procedure
    .input(z.strictObject({ domain: domainReference, zone: zoneFile, dry_run: z.boolean().default(false) }))
    .output(zoneChangesSchema)
    .mutation(({ ctx, input }) => importZone(ctx.services, ctx, input)),
})
