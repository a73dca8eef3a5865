/** Signed URLs at which one blob of one team can be uploaded for a short time. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'

/**
 * The grant of an upload URL: these bytes, for this team, until then (Unix milliseconds). `senderId` is that
 * of a limited member or key, for whom the upload counts as its own.
 */
export type UploadGrant = {
  teamId: string
  senderId?: string | undefined
  sha256: string
  size: number
  expiresMs: number
}

const validityMs = 15 * 60 * 1000

/** The path of uploads; outside `/v1`, since the signature replaces the caller's credential. */
export const uploadPath = '/uploads/:sha256'

const uploadParams = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) })

const uploadQuery = z.strictObject({
  team: z.string().regex(/^team_[0-9a-f]{32}$/),
  user: z
    .string()
    .regex(/^(?:usr|key)_[0-9a-f]{32}$/)
    .optional(),
  size: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  expires: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  signature: z.string().regex(/^[\w-]{43}$/),
})

/** The upload URL of a blob, valid for 15 minutes from `nowMs`. */
export function signUploadUrl(
  { apiUrl, uploadKey }: { apiUrl: string; uploadKey: Buffer },
  blob: Omit<UploadGrant, 'expiresMs'>,
  nowMs: number,
): string {
  const grant = { ...blob, expiresMs: nowMs + validityMs }
  const signature = sign(uploadKey, grant).toString('base64url')
  const owner = `team=${grant.teamId}${grant.senderId === undefined ? '' : `&user=${grant.senderId}`}`
  const query = `${owner}&size=${grant.size}&expires=${grant.expiresMs}&signature=${signature}`
  return `${apiUrl}/uploads/${grant.sha256}?${query}`
}

/** The grant of an upload request. @throws AppError `upload_url_invalid` when it is forged or has expired. */
export function verifyUpload(uploadKey: Buffer, params: unknown, query: unknown, nowMs: number): UploadGrant {
  const path = uploadParams.safeParse(params)
  const parsed = uploadQuery.safeParse(query)
  if (!path.success || !parsed.success) throw invalid('This is not an upload URL of this service')
  const { team: teamId, user: senderId, size, expires: expiresMs, signature } = parsed.data
  const grant = { teamId, senderId, sha256: path.data.sha256, size, expiresMs }
  if (!timingSafeEqual(Buffer.from(signature, 'base64url'), sign(uploadKey, grant))) {
    throw invalid('The signature of this upload URL is invalid')
  }
  if (nowMs > expiresMs) throw invalid('This upload URL has expired')
  return grant
}

function sign(uploadKey: Buffer, { teamId, senderId, sha256, size, expiresMs }: UploadGrant): Buffer {
  const granted = [teamId, sha256, size, expiresMs, ...(senderId === undefined ? [] : [senderId])]
  return createHmac('sha256', uploadKey).update(granted.join('\n')).digest()
}

function invalid(what: string): AppError {
  return new AppError('upload_url_invalid', `${what}: create the deployment again to get a new one.`)
}
