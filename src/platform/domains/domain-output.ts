/** A domain as clients see it. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { hostRedirectStatuses } from '../../lib/net/redirect-statuses.ts'
import { timeMs } from '../../stores/db/record-fields.ts'
import { certificateReasons } from '../certificates/certificate-failure.ts'
import { checkReasons } from './check/check-error.ts'

const shownRecords = z.array(
  z.object({
    type: z.string().meta({ examples: ['TXT'] }),
    name: z.string(),
    value: z.string(),
  }),
)

const tlsStates = ['none', 'pending', 'active', 'failed'] as const

/** How the certificate of a domain is described. */
const tls = z
  .object({
    state: z.string().meta({ enum: tlsStates, description: '`active`: it has a certificate that is used' }),
    not_after_ms: timeMs.nullable().meta({ description: 'When the certificate expires' }),
    error: z
      .object({
        reason: z.string().meta({ description: `One of: ${certificateReasons.join(', ')}` }),
        message: z.string(),
      })
      .nullable()
      .meta({ description: 'Why the last order of a certificate failed; it is tried again' }),
    own: z.boolean().meta({ description: "Whether the certificate is the team's own" }),
  })
  .meta({ description: 'Its certificate for HTTPS' })

/** How the status of a redirect is described. */
export const redirectStatusMeta = { enum: hostRedirectStatuses, description: '307 and 308 keep the method' }

export const domainSchema = z
  .object({
    id: idSchema('domain'),
    domain: z.string().meta({ examples: ['www.example.com'] }),
    project: z.string().nullable().meta({ description: 'The name of the project that it shows' }),
    redirect: z
      .object({ to: z.string(), status: z.number().meta({ type: 'integer', ...redirectStatusMeta }) })
      .nullable()
      .meta({ description: 'Where visitors are sent instead' }),
    verified: z.boolean().meta({ description: "Whether it is the team's: only then is it served" }),
    verification: shownRecords.meta({
      description: 'The record that proves it; a name below one that the team has proven needs none',
    }),
    configured: z.boolean().meta({ description: 'Whether it leads here' }),
    expected: shownRecords.meta({ description: 'What makes it lead here' }),
    seen: shownRecords.meta({ description: 'What the resolvers answered at the last check' }),
    error: z
      .object({
        reason: z.string().meta({ description: `One of: ${checkReasons.join(', ')}` }),
        message: z.string(),
      })
      .nullable()
      .meta({ description: 'What the last check found wrong' }),
    tls,
    nameservers: z
      .array(z.string())
      .meta({ description: 'Delegated to these, it leads here without any of the records above' }),
    created_ms: timeMs,
    verified_ms: timeMs.nullable(),
    checked_ms: timeMs.nullable(),
    next_check_ms: timeMs.nullable(),
  })
  .meta({ id: 'Domain' })

export type DomainRecord = z.infer<typeof domainSchema>
