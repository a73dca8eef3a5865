/** On servers that require a JWT for changes, exchanges the session for one. */
import type { AppRouter } from '@svc-platform/client'
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { Call } from '../../../src/api/client/call-scope.ts'
import type { JwtSource } from '../../../src/api/client/jwt-source.ts'
import { sendWithJwt } from '../../../src/api/client/send-with-jwt.ts'

/** A link that makes calls with the JWT that each has; without one the session itself makes them. */
export function createJwtLink(jwtsFor: (call: Call) => JwtSource | undefined): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      const jwts = jwtsFor(op)
      if (!jwts) return next(op)
      return observable((observer) =>
        sendWithJwt({ op, next, observer, refusalOf: (error) => TRPCClientError.from(error) }, jwts),
      )
    }
}
