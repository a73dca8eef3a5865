/** Reads request bodies, and counts each against the body budget until its request is answered. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BodyBudget, Room } from './body-budget.ts'
import { bodyTooLarge, readBody } from './read-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The reservation of its body. */
    room: Room | null
  }
}

/** Gives every request of `app` a reservation, which is released when the response is sent. */
export function releaseBodies(app: FastifyInstance): void {
  app.decorateRequest('room', null)
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.room?.release()
    request.room = null
    done()
  })
}

/** `owner` is whose share of the room it takes: that of the caller's team by default. */
type HeldLimits = { maxBytes: number; timeoutMs: number; owner?: string | undefined }

/**
 * Reads the body of `request`, once there is room for it.
 * @throws AppError as `readBody` and `BodyBudget.reserve` do.
 */
export async function readHeld(
  request: FastifyRequest,
  bodies: BodyBudget,
  { maxBytes, timeoutMs, owner = request.principal?.teamId }: HeldLimits,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBytes) throw bodyTooLarge(maxBytes)
  const reserved = bodies.reserve(owner, declared)
  const room = reserved instanceof Promise ? await reserved : reserved
  request.room = room
  return readBody(request.raw, { maxBytes, timeoutMs, declaredBytes: declared, growTo: room.growTo })
}
