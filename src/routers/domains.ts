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
        verified: z.boolean().optional().meta({ description: 'Only those that are, or are not' }),
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
        description: 'With the records that prove it and lead it here, and what the last check found.',
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
          'Safe to repeat. A field left out keeps its value, null clears it. A new claim is verified once the record in ' +
          'verification is there, or at once below a name that the team has proven. By id, the domain must exist.',
        successDescription: 'The domain',
      },
      reasons: ['domain_not_found', 'project_not_found', 'name_in_use'],
    })
    .input(
      reference.extend({
        project: projectReference
          .nullable()
          .optional()
          .meta({ description: 'The project that it shows, by name or id' }),
        redirect: redirect
          .nullable()
          .optional()
          .meta({ description: 'Where visitors are sent instead; goes before project' }),
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
          'Looks now for the TXT record that proves it, and for where the name leads. What is found wrong is in error.',
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
        description: 'With its records. A later claim of the name has to be proven anew. For owners.',
        successDescription: 'The domain is gone',
      },
      reasons: ['domain_not_found'],
    })
    .input(reference)
    .output(deleted('domain'))
    .mutation(({ ctx, input }) => deleteDomain(ctx.services, ctx, input.domain)),
})
