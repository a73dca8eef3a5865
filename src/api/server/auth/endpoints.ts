/** The reachable endpoints of better-auth, with their input and output; all others are unknown paths. */
import { z } from 'zod'
import { returnedSecret, secretField } from '../../../lib/secret.ts'
import { providerId } from '../../../platform/people/oidc.ts'
import { assertionSchema } from '../../../platform/people/passkeys/credential.ts'
import { requestOptionsSchema } from '../../../platform/people/passkeys/passkey-output.ts'
import { passwordSchema } from '../../../platform/people/password.ts'
import {
  basePath,
  codeOptionsPath,
  codePath,
  passkeyOptionsPath,
  passkeyPath,
} from '../../../platform/people/paths.ts'

export type Endpoint = {
  method: 'GET' | 'POST'
  path: string
  via: 'password' | 'provider'
  /** A POST's body. */
  body?: z.ZodType
  /** The response; undefined for a redirect. */
  output?: z.ZodType
}

const user = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
  createdAt: z.string(),
})

const session = z.object({
  id: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
})

const nothing = z.strictObject({})
const done = z.object({ success: z.literal(true) })

/** The session's token, for clients that send it as a bearer token instead of the cookie. */
const signedIn = z.object({ token: returnedSecret(z.string()), user })

/**
 * Signing in takes one more step: a code or a passkey for `sign-in/second-factor`, with the cookie of this
 * response.
 */
const halfway = z.object({ second_factor_required: z.literal(true) })

/** The second factors to choose from: an app's codes, and the options to use a passkey, null without any. */
export const factorOptionsSchema = z.object({ app: z.boolean(), passkey: requestOptionsSchema.nullable() })

const place = z.string().max(2_000).optional()

export const endpoints: Endpoint[] = [
  {
    method: 'POST',
    path: `${basePath}/sign-in/email`,
    via: 'password',
    body: z.strictObject({
      email: z.string(),
      password: secretField(z.string()),
      rememberMe: z.boolean().optional(),
    }),
    output: z.union([signedIn, halfway]),
  },
  {
    method: 'POST',
    path: codePath,
    via: 'password',
    body: z.union([
      z.strictObject({ code: secretField(z.string().max(100)) }),
      z.strictObject({ passkey: assertionSchema }),
    ]),
    output: signedIn,
  },
  {
    method: 'POST',
    path: codeOptionsPath,
    via: 'password',
    body: nothing,
    output: factorOptionsSchema,
  },
  { method: 'POST', path: passkeyOptionsPath, via: 'password', body: nothing, output: requestOptionsSchema },
  {
    method: 'POST',
    path: passkeyPath,
    via: 'password',
    body: z.strictObject({ passkey: assertionSchema }),
    output: signedIn,
  },
  {
    method: 'POST',
    path: `${basePath}/sign-in/social`,
    via: 'provider',
    body: z.strictObject({
      provider: z.literal(providerId),
      callbackURL: place,
      errorCallbackURL: place,
      newUserCallbackURL: place,
    }),
    output: z.object({ url: z.string(), redirect: z.boolean() }),
  },
  { method: 'GET', path: `${basePath}/callback/${providerId}`, via: 'provider' },
  { method: 'POST', path: `${basePath}/sign-out`, via: 'password', body: nothing, output: done },
  // Without the token, which scripts of pages don't need.
  {
    method: 'GET',
    path: `${basePath}/get-session`,
    via: 'password',
    output: z.object({ session, user }).nullable(),
  },
  {
    method: 'GET',
    path: `${basePath}/list-sessions`,
    via: 'password',
    output: z.array(session.extend({ current: z.boolean() })),
  },
  {
    method: 'POST',
    path: `${basePath}/revoke-session`,
    via: 'password',
    body: z.strictObject({ id: z.string() }),
    output: done,
  },
  { method: 'POST', path: `${basePath}/revoke-other-sessions`, via: 'password', body: nothing, output: done },
  {
    method: 'POST',
    path: `${basePath}/change-password`,
    via: 'password',
    body: z.strictObject({
      currentPassword: secretField(z.string()),
      newPassword: passwordSchema,
      code: secretField(z.string().max(100)).optional(),
      passkey: assertionSchema.optional(),
    }),
    output: signedIn,
  },
]
