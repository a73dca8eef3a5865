/** The grant in the signature of an upload's URL, checked before the body is read. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { type UploadGrant, verifyUpload } from '../../../stores/blobs/upload-url.ts'
import { limitAddress } from '../caller/limit-requests.ts'
import type { ServerDeps } from '../deps.ts'

/**
 * Has each request of `scope` show a valid signature. Without one it draws from the bucket of its address, as
 * whoever has no valid credential; with one from none. Returns what gives the grant of a request to its
 * handler.
 */
export function requireGrant(
  scope: FastifyInstance,
  { services, limits }: Pick<ServerDeps, 'services' | 'limits'>,
): (request: FastifyRequest) => UploadGrant {
  const limiting = { limits, observe: services.observe }
  const grants = new WeakMap<FastifyRequest, UploadGrant>()
  scope.addHook('onRequest', (request, reply, done) => {
    const grant = grantIn(services, request)
    if (grant instanceof AppError) {
      limitAddress(limiting, { request, reply }, (limited) => done(limited ?? grant))
      return
    }
    grants.set(request, grant)
    done()
  })
  return (request) => {
    const grant = grants.get(request)
    if (!grant) throw new Error('An upload was received without a grant.')
    return grant
  }
}

/** The grant, or the refusal. */
function grantIn(
  { uploadKey, nowMs }: ServerDeps['services'],
  { params, query }: FastifyRequest,
): UploadGrant | AppError {
  try {
    return verifyUpload(uploadKey, params, query, nowMs())
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
