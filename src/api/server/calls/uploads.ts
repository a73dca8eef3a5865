/** Receives the bytes of a blob at its signed URL. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { mayTakeLong } from '../../../lib/net/late-streams.ts'
import { recordOwnUpload } from '../../../stores/blobs/own-uploads.ts'
import { reserve } from '../../../stores/blobs/quota.ts'
import { createReceiveUpload } from '../../../stores/blobs/receive-upload.ts'
import { uploadPath } from '../../../stores/blobs/upload-url.ts'
import { countAs } from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { noSlowerThan, withinPace } from '../http/read-body.ts'
import { requireGrant } from './upload-grant.ts'

/** Adds the upload route, which streams any content type; the signature is the authentication. */
export function mountUploads(app: FastifyInstance, { services, timeouts, limits }: ServerDeps): void {
  const receiveUpload = createReceiveUpload(services)
  app.register(async (scope) => {
    scope.addHook('onRequest', countAs('upload'))
    const grantOf = requireGrant(scope, { services, limits })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async () => undefined)
    scope.put(uploadPath, async (request) => {
      const grant = grantOf(request)
      const declared = request.headers['content-length']
      if (declared !== undefined && Number(declared) !== grant.size) {
        throw new AppError(
          Number(declared) > grant.size ? 'body_too_large' : 'size_mismatch',
          `The body has ${declared} bytes, but ${grant.size} were declared.`,
        )
      }
      mayTakeLong(request.raw)
      const pace = noSlowerThan(timeouts.uploadBytesPerSecond, timeouts.uploadWindowMs)
      const { store, storage, nowMs } = services
      const { teamId, senderId, sha256 } = grant
      const tellsNothing = senderId !== undefined
      const reservation = await reserve({ db: store.db, storage, nowMs, tellsNothing }, teamId, [grant])
      try {
        const received = await receiveUpload(grant, withinPace(request.raw, pace), reservation)
        if (senderId !== undefined) await recordOwnUpload(store.db, { teamId, senderId, sha256 }, nowMs())
        return received
      } finally {
        await reservation.release()
      }
    })
  })
}
