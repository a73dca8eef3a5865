/** The input of requests for lines of the log. */
import { z } from 'zod'
import { pageInput } from '../../../stores/db/page-schema.ts'
import { timeMsInput } from '../../../stores/db/record-fields.ts'
import { projectReference } from '../../projects/reference.ts'
import { levelOfStatus } from '../requests/level-of-status.ts'
import { logKinds, logLevels } from './row.ts'

const kind = z.enum(logKinds)
const level = z.enum(logLevels)
const status = z
  .string()
  .regex(/^[1-5](xx|\d\d)$/, 'must be a status such as 404, or a class of them such as 4xx')

export const logsInput = z
  .strictObject({
    ...pageInput,
    kind: kind.optional().meta({ description: 'Only those of this kind' }),
    project: projectReference.optional(),
    deployment: z.string().min(1).max(100).optional().meta({ description: "A deployment's id" }),
    level: level.optional().meta({ description: 'Only those of exactly this level; audit lines are info' }),
    status: status.optional().meta({
      description:
        'Only requests that got this status, such as 404, or one of this class, such as 4xx; a class has ' +
        'also the lines that count requests of it which are not logged',
      examples: ['4xx'],
    }),
    host: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .meta({
        description:
          "Only requests to this host, as their lines have it: a label below the sites' domain, or a domain",
        examples: ['www.example.com'],
      }),
    q: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'A substring of the message, case-insensitive' }),
    since_ms: timeMsInput.optional().meta({ description: 'Written at or after' }),
    until_ms: timeMsInput.optional().meta({ description: 'Written before' }),
    order: z.enum(['desc', 'asc']).default('desc').meta({ description: 'Newest or oldest first' }),
    wait_s: z
      .int()
      .min(0)
      .max(30)
      .default(0)
      .meta({ description: 'With order=asc: how long to wait for a line, in seconds' }),
  })
  .superRefine(({ kind, level, status, host, since_ms, until_ms, order, wait_s }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (wait_s > 0 && order === 'desc') refuse('wait_s', 'requires order=asc')
    if (since_ms !== undefined && until_ms !== undefined && until_ms <= since_ms) {
      refuse('until_ms', 'must be after since_ms')
    }
    if (kind === 'audit' && level !== undefined && level !== 'info') {
      refuse('level', 'must be info with kind=audit: audit lines have no other')
    }
    for (const [name, value] of Object.entries({ status, host })) {
      if (value === undefined || kind === undefined || kind === 'request') continue
      refuse(name, `must be left out with kind=${kind}: only requests have one`)
    }
    if (status === undefined) return
    const only = levelOfStatus(status)
    if (level !== undefined && level !== only) {
      refuse('level', `must be ${only} with status=${status}: such requests have no other`)
    }
  })

export type LogOptions = Omit<z.infer<typeof logsInput>, 'wait_s'>
