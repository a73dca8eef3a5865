import { verifyDomain } from '../../platform/domains/check/check-on-request.ts'
import { deleteDomain } from '../../platform/domains/delete-domain.ts'
import { domainReference, listDomainsInput, putDomainInput } from '../../platform/domains/domain-input.ts'
import { domainSchema } from '../../platform/domains/domain-output.ts'
import { listDomains } from '../../platform/domains/list-domains.ts'
import { putDomain } from '../../platform/domains/put-domain.ts'
import { getDomain } from '../../platform/domains/read-domain.ts'
import { pageSchema } from '../../stores/db/page-schema.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'
import { domainExample, putDomainExample } from './examples/domains.ts'
import { pageMeta } from './page-meta.ts'

export const domainsTag = { name: 'Domains', description: 'Custom domains: ownership, and what they serve.' }

const tags = [domainsTag.name]

const notTheirs = {
  reason: 'role_required',
  message: 'A member limited to some projects may not claim, attach or configure domains.',
} as const

export const domainsRouter = router({
  list: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      ...pageMeta({
        of: 'domains',
        path: '/v1/domains',
        tags,
        summary: 'List domains',
        description: 'By name.',
        example: domainExample,
      }),
    })
    .input(listDomainsInput)
    .output(pageSchema(domainSchema))
    .query(({ ctx: { services, principal }, input }) => listDomains(services, principal, input)),

  get: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
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
      example: { response: domainExample },
    })
    .input(domainReference)
    .output(domainSchema)
    .query(({ ctx: { services, principal }, input }) => getDomain(services, principal, input.domain)),

  put: procedure
    .meta({
      role: 'member',
      limited: notTheirs,
      openapi: {
        method: 'PUT',
        path: '/v1/domains/{domain}',
        tags,
        summary: 'Claim or configure a domain',
        description:
          'Idempotent. An omitted field keeps its value, null clears it. ' +
          'A new claim is verified once the record in verification exists, ' +
          'or at once below a verified domain of the team. By id, the domain must exist. ' +
          'Not for members limited to some projects.',
        successDescription: 'The domain',
      },
      reasons: ['role_required', 'domain_not_found', 'project_not_found', 'name_in_use'],
      example: { request: putDomainExample, response: domainExample },
    })
    .input(putDomainInput)
    .output(domainSchema)
    .mutation(({ ctx, input: { domain: reference, ...changes } }) =>
      putDomain(ctx.services, ctx, reference, changes),
    ),

  verify: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      additive: true,
      openapi: {
        method: 'POST',
        path: '/v1/domains/{domain}/verify',
        tags,
        summary: 'Verify a domain',
        description:
          'Checks the TXT record that proves ownership, and where the name points. ' +
          'A failed check is reported in error.',
        successDescription: 'The domain, verified or not',
      },
      reasons: ['domain_not_found', 'stopping'],
      example: { response: domainExample },
    })
    .input(domainReference)
    .output(domainSchema)
    .mutation(({ ctx, input }) => verifyDomain(ctx.services, ctx, input.domain, ctx.remember)),

  delete: procedure
    .meta({
      role: 'owner',
      openapi: {
        method: 'DELETE',
        path: '/v1/domains/{domain}',
        tags,
        summary: 'Delete a domain',
        description: 'With its records. A later claim of the name must be verified again. For owners.',
        successDescription: 'The domain was deleted',
      },
      reasons: ['domain_not_found'],
      example: { response: { id: domainExample.id, deleted: true } },
    })
    .input(domainReference)
    .output(deleted('domain'))
    .mutation(({ ctx, input }) => deleteDomain(ctx.services, ctx, input.domain)),
})
