/** Domains. */
import { z } from 'zod'
import { verifyDomain } from '../domains/check/verify.ts'
import { deleteDomain } from '../domains/delete.ts'
import { listDomains } from '../domains/list.ts'
import { putDomain } from '../domains/put.ts'
import { getDomain } from '../domains/read.ts'
import { domainSchema, redirectStatusMeta } from '../domains/record.ts'
import { redirectStatuses } from '../domains/redirect.ts'
import { procedure, router } from '../trpc/init.ts'
import { deleted, pageInput, pageOf, projectReference } from './schemas.ts'

const tags = ['Domains']

const reference = z.strictObject({
  domain: z
    .string()
    .min(1)
    .max(255)
    .meta({ description: "The domain's name, in any spelling, or its id", examples: ['www.example.com'] }),
})

const redirect = z.strictObject({
  to: z
    .string()
    .min(1)
    .max(255)
    .meta({ description: 'A host name', examples: ['example.com'] }),
  status: z.literal(redirectStatuses).default(308).meta({ description: redirectStatusMeta.description }),
})

const maxPemCharacters = 64 * 1024

const certificate = z.strictObject({
  chain: z
    .string()
    .max(maxPemCharacters)
    .meta({ description: 'PEM: the certificate, followed by its issuers' }),
  key: z.string().max(maxPemCharacters).meta({ description: 'PEM: its private key, without a passphrase' }),
})

export const domainsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/domains',
        tags,
        summary: 'List domains',
        description: 'By name.',
        successDescription: 'A page of domains',
      },
    })
    .input(
      z.strictObject({
        ...pageInput,
        project: projectReference.optional(),
        verified: z.boolean().optional().meta({ description: 'Only verified ones, or only others' }),
      }),
    )
    .output(pageOf(domainSchema))
    .query(({ ctx: { services, principal }, input }) => listDomains(services, principal.teamId, input)),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/domains/{domain}',
        tags,
        summary: 'Get a domain',
        description:
          'With the records that prove ownership and point it here, and the result of the last check.',
        successDescription: 'The domain',
      },
      reasons: ['domain_not_found'],
    })
    .input(reference)
    .output(domainSchema)
    .query(({ ctx: { services, principal }, input }) => getDomain(services, principal.teamId, input.domain)),

  put: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/domains/{domain}',
        tags,
        summary: 'Claim or configure a domain',
        description:
          'Idempotent. An omitted field keeps its value, null clears it. A new claim is verified once the record in ' +
          'verification exists, or at once below a verified domain of the team. By id, the domain must exist.',
        successDescription: 'The domain',
      },
      reasons: ['domain_not_found', 'project_not_found', 'name_in_use'],
    })
    .input(
      reference.extend({
        project: projectReference
          .nullable()
          .optional()
          .meta({ description: 'The project that it serves, by name or id' }),
        redirect: redirect
          .nullable()
          .optional()
          .meta({ description: 'The host to redirect to; takes precedence over project' }),
        certificate: certificate
          .nullable()
          .optional()
          .meta({ description: 'A certificate of your own, which takes precedence; never shown' }),
      }),
    )
    .output(domainSchema)
    .mutation(({ ctx, input: { domain: reference, ...changes } }) =>
      putDomain(ctx.services, ctx, reference, changes),
    ),

  verify: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/domains/{domain}/verify',
        tags,
        summary: 'Verify a domain',
        description:
          'Checks the TXT record that proves ownership, and where the name points. A failed check is reported in error.',
        successDescription: 'The domain, verified or not',
      },
      reasons: ['domain_not_found', 'stopping'],
    })
    .input(reference)
    .output(domainSchema)
    .mutation(({ ctx, input }) => verifyDomain(ctx.services, ctx, input.domain, ctx.remember)),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/domains/{domain}',
        tags,
        summary: 'Delete a domain',
        description: 'With its records. A later claim of the name must be verified again. For owners.',
        successDescription: 'The domain was deleted',
      },
      reasons: ['domain_not_found'],
    })
    .input(reference)
    .output(deleted('domain'))
    .mutation(({ ctx, input }) => deleteDomain(ctx.services, ctx, input.domain)),
})
