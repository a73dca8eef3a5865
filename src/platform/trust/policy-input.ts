/** The inputs of calls about trust policies. */
import { z } from 'zod'
import { targetSchema } from '../projects/project-output.ts'
import { projectReference } from '../projects/reference.ts'

/** These are checked of every token, or are another's with each. */
const reserved = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti']

const maxClaims = 20

/** The claims that a token must have, each with exactly this value. */
const claims = z
  .record(z.string().min(1).max(100), z.string().min(1).max(500))
  .superRefine((named, { addIssue }) => {
    const names = Object.keys(named)
    const refuse = (message: string, ...path: string[]) => addIssue({ code: 'custom', path, message })
    if (names.length === 0) refuse('must name a claim: without one, whoever the issuer knows may deploy')
    if (names.length > maxClaims) refuse(`must have at most ${maxClaims} keys`)
    for (const name of names) {
      if (reserved.includes(name)) refuse('is checked of every token: leave it out', name)
    }
  })

export const projectTrustInput = z.strictObject({ project: projectReference })

export const newTrustPolicyInput = z.strictObject({
  project: projectReference,
  issuer: z.string().min(1).max(500),
  claims,
  targets: z
    .array(targetSchema)
    .min(1)
    .refine((targets) => new Set(targets).size === targets.length, 'must not name a target twice')
    .default(['preview']),
  /** Deployments may then name the branch of the token's ref alone, or none. */
  bind_branch: z.boolean().default(false),
})

export const trustPolicyReference = z.strictObject({ project: projectReference, id: z.string().max(100) })

export type NewTrustPolicy = z.infer<typeof newTrustPolicyInput>

export type TrustPolicyReference = z.infer<typeof trustPolicyReference>
