/** DNS records. */
import { z } from 'zod'
import { createRecord } from '../../platform/dns/create-record.ts'
import { deleteRecord } from '../../platform/dns/delete-record.ts'
import { listRecords } from '../../platform/dns/list-records.ts'
import { checkedSchema, checkRecord } from '../../platform/dns/preview.ts'
import { putRecord } from '../../platform/dns/put-record.ts'
import { getRecord } from '../../platform/dns/read-record.ts'
import {
  checkRecordInput,
  createRecordInput,
  importZoneInput,
  listRecordsInput,
  putRecordInput,
  recordReference,
  zoneReference,
} from '../../platform/dns/record-input.ts'
import { recordSchema, zoneChangesSchema } from '../../platform/dns/record-output.ts'
import { exportZone } from '../../platform/dns/zone-file/export.ts'
import { importZone } from '../../platform/dns/zone-file/import.ts'
import { pageSchema } from '../../stores/db/page-schema.ts'
import { deleted, integer } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'
import { createRecordExample, recordExample } from './examples/dns.ts'
import { pageMeta } from './page-meta.ts'

export const dnsTag = { name: 'DNS', description: 'The records of the zones of domains.' }

const tags = [dnsTag.name]

/** Zones are the whole team's. */
const notShown = {
  reason: 'domain_not_found',
  message: 'DNS records are not for members limited to some projects.',
} as const

export const dnsRouter = router({
  list: procedure
    .meta({
      role: 'member',
      limited: notShown,
      reasons: ['domain_not_found'],
      ...pageMeta({
        of: 'records',
        path: '/v1/domains/{domain}/records',
        tags,
        summary: 'List DNS records',
        description:
          'Newest first, including managed ones. For a domain below another of the team: the part of ' +
          'its zone at or below it.',
        example: recordExample,
      }),
    })
    .input(listRecordsInput)
    .output(pageSchema(recordSchema))
    .query(({ ctx: { services, principal }, input: { domain, ...options } }) =>
      listRecords(services, principal.teamId, domain, options),
    ),

  create: procedure
    .meta({
      role: 'member',
      limited: notShown,
      additive: true,
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
      example: { request: createRecordExample, response: recordExample },
    })
    .input(createRecordInput)
    .output(recordSchema)
    .mutation(({ ctx, input }) => createRecord(ctx.services, ctx, input, ctx.remember)),

  get: procedure
    .meta({
      role: 'member',
      limited: notShown,
      openapi: {
        method: 'GET',
        path: '/v1/domains/{domain}/records/{record}',
        tags,
        summary: 'Get a DNS record',
        description: 'Including managed ones.',
        successDescription: 'The record',
      },
      reasons: ['domain_not_found', 'record_not_found'],
      example: { response: recordExample },
    })
    .input(recordReference)
    .output(recordSchema)
    .query(({ ctx: { services, principal }, input }) =>
      getRecord(services, principal.teamId, input.domain, input.record),
    ),

  put: procedure
    .meta({
      role: 'member',
      limited: notShown,
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
      example: {
        request: { value: 'mx.example.com', ttl: 3_600 },
        response: { ...recordExample, value: 'mx.example.com', ttl: 3_600 },
      },
    })
    .input(putRecordInput)
    .output(recordSchema)
    .mutation(({ ctx, input: { domain, record, ...changes } }) =>
      putRecord(ctx.services, ctx, { domain, record }, changes),
    ),

  delete: procedure
    .meta({
      role: 'member',
      limited: notShown,
      openapi: {
        method: 'DELETE',
        path: '/v1/domains/{domain}/records/{record}',
        tags,
        summary: 'Delete a DNS record',
        description: 'It is no longer served. A managed record is 409 record_conflict.',
        successDescription: 'The record was deleted',
      },
      reasons: ['domain_not_found', 'record_not_found', 'in_zone_of', 'record_conflict'],
      example: { response: { id: recordExample.id, deleted: true } },
    })
    .input(recordReference)
    .output(deleted('record'))
    .mutation(({ ctx, input }) => deleteRecord(ctx.services, ctx, input.domain, input.record)),

  /** For forms, while they are filled in; RPC only. */
  check: procedure
    .meta({ role: 'member', limited: notShown })
    .input(checkRecordInput)
    .output(checkedSchema)
    .query(({ ctx: { services, principal }, input }) => checkRecord(services, principal.teamId, input)),

  /** For `svc dns export` and the like; RPC only. */
  exportZone: procedure
    .meta({ role: 'member', limited: notShown })
    .input(zoneReference)
    .output(z.object({ domain: z.string(), serial: integer, zone: z.string() }))
    .query(({ ctx: { services, principal }, input }) => exportZone(services, principal.teamId, input.domain)),

  importZone: procedure
    .meta({ role: 'member', limited: notShown })
    .input(importZoneInput)
    .output(zoneChangesSchema)
    .mutation(({ ctx, input }) => importZone(ctx.services, ctx, input)),
})
