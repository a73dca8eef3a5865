/** The inputs of requests about domains. */
import { z } from 'zod'
import { hostRedirectStatuses } from '../../lib/net/redirect-statuses.ts'
import { secretField } from '../../lib/secret.ts'
import { pageInput } from '../../stores/db/page-schema.ts'
import { projectReference } from '../projects/reference.ts'
import { redirectStatusMeta } from './domain-output.ts'

export const domainReference = z.strictObject({
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
  status: z.literal(hostRedirectStatuses).default(308).meta({ description: redirectStatusMeta.description }),
})

const maxPemCharacters = 64 * 1024

const certificate = z.strictObject({
  chain: z
    .string()
    .max(maxPemCharacters)
    .meta({ description: 'PEM: the certificate, followed by its issuers' }),
  key: secretField(z.string().max(maxPemCharacters), {
    description: 'PEM: its private key, without a passphrase',
  }),
})

export const listDomainsInput = z.strictObject({
  ...pageInput,
  project: projectReference.optional(),
  verified: z.boolean().optional().meta({ description: 'Only verified ones, or only others' }),
})

/** The settable fields of a domain; an omitted one keeps its value, null clears it. */
export const putDomainInput = domainReference.extend({
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
})

export type OwnCertificate = z.infer<typeof certificate>

/** The changes of `putDomainInput`. */
export type DomainChanges = Omit<z.infer<typeof putDomainInput>, 'domain'>

export type ListDomains = z.infer<typeof listDomainsInput>
