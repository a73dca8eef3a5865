/** The inputs of requests about API keys and tokens. */
import { z } from 'zod'
import { displayText } from '../../lib/names/display-text.ts'
import { secretField } from '../../lib/secret.ts'
import { timeMsInput } from '../../stores/db/record-fields.ts'
import { roleSchema } from './principal.ts'
import { maxTokenLength } from './workloads/identities.ts'

export const createKeyInput = z.strictObject({
  name: displayText({ max: 200 }).meta({ description: 'Any label', examples: ['deploy from CI'] }),
  role: roleSchema.default('member').meta({ description: "The key's role, at most the creator's" }),
})

/** The most projects of a key, as of a limited member. */
const maxProjects = 100

const limitFields = {
  expires_ms: timeMsInput.optional().meta({
    description:
      'When it ends by itself: a time in the future, at most ten years from now. Never, if omitted',
    examples: [1_790_000_000_000],
  }),
  projects: z
    .array(z.string().min(1).max(100))
    .min(1, 'must name a project: a key that sees none is of no use. Leave it out for all of them')
    .max(maxProjects)
    .optional()
    .meta({
      description:
        'The only projects that it sees, by name or id, of those that the creator sees; for member keys. ' +
        'A deleted one leaves the list. All, if omitted',
      examples: [['web']],
    }),
  read_only: z.boolean().optional().meta({ description: 'Whether it reads only: it changes nothing' }),
}

export const createLimitedKeyInput = createKeyInput
  .extend(limitFields)
  .refine(({ role, projects }) => role === 'member' || projects === undefined, {
    path: ['projects'],
    message: 'must be left out for an owner key, which sees every project: use "role": "member"',
  })

const named = z.string().min(1).max(100)

const identityToken = z.string().min(1).max(maxTokenLength)

export const mintInput = z
  .strictObject({
    team: named.optional().meta({
      description: "A team's slug or id; for sessions and identity tokens, since an API key belongs to one",
    }),
    project: named
      .optional()
      .meta({ description: 'With `oidc_token`: the name or id of the project to deploy to' }),
    oidc_token: secretField(identityToken.optional(), {
      description:
        'Without any other credential: an identity token (OpenID Connect) of a CI system that a trust ' +
        "policy of the project admits, issued for this API's address as its audience",
    }),
  })
  .superRefine(({ team, project, oidc_token }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (oidc_token === undefined && project !== undefined) refuse('project', 'is taken with oidc_token only')
    if (oidc_token === undefined) return
    if (team === undefined) refuse('team', 'required with oidc_token')
    if (project === undefined) refuse('project', 'required with oidc_token')
  })

/** The parts of the input that prove who calls, before the rest is looked at. */
export const identityInput = z.object({ oidc_token: identityToken, team: named, project: named })

export const keyReference = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The key's id", examples: ['key_019aa5d3b3208fd4e7a15c60b2938d4e'] }),
})

export type CreateLimitedKey = z.infer<typeof createLimitedKeyInput>

export type WantedLimits = Pick<CreateLimitedKey, keyof typeof limitFields>

export type Mint = z.infer<typeof mintInput>
