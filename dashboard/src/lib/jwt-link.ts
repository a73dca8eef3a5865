/** On servers that require a JWT for changes, exchanges the session for one. */

import type { AppRouter } from '@svc-platform/client'
import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import { isApiFailure } from './api-error'
import { type Call, fieldsOf } from './call-scope'
import { isOf, isPromoted } from './jwt-claims'
import type { JwtSource } from './jwt-source'

/**
 * Makes a call once its source of JWTs has settled, and once more with another JWT where the server requires one, or no
 * longer accepts the one that was sent, and where a member's is refused of one who is an owner by now. `jwtsFor` returns undefined for calls of the session itself.
 */
export function createJwtLink(jwtsFor: (call: Call) => JwtSource | undefined): TRPCLink<AppRouter> {
  return () =>
    ({ op: given, next }) => {
      const jwts = jwtsFor(given)
      if (!jwts) return next(given)
      return observable((observer) => {
        let op = given
        let current: Unsubscribable | undefined
        let isClosed = false
        let mayRenew = true
        const fail = (error: Error) => observer.error(TRPCClientError.from(error))

        function send(): void {
          if (isClosed) return
          const used = jwts?.current()
          current = next(op).subscribe({
            ...observer,
            next(envelope) {
              const { result } = envelope
              if ('id' in result && result.id !== undefined) {
                // A stream outlives JWTs: each may be replaced, and it goes on where it was.
                op = after(given, result.id)
                mayRenew = true
              }
              observer.next(envelope)
            },
            error(refusal) {
              if (!mayRenew) return observer.error(refusal)
              if (needsJwt(refusal, used)) {
                mayRenew = false
                jwts?.renew(used).then(send, fail)
              } else if (needsRole(refusal) && isOf('member', used)) {
                mayRenew = false
                const give = () => observer.error(refusal)
                const sendIfPromoted = () => (isPromoted(jwts?.current(), used) ? send() : give())
                jwts?.renew(used).then(sendIfPromoted, give)
              } else {
                observer.error(refusal)
              }
            },
          })
        }

        const settling = jwts.settled()
        if (settling) settling.then(send, fail)
        else send()
        return () => {
          isClosed = true
          current?.unsubscribe()
        }
      })
    }
}

/** A JWT is required, or the one that was sent has expired. */
function needsJwt(error: unknown, sent: string | undefined): boolean {
  if (!isApiFailure(error)) return false
  const reason = error.data?.reason
  return reason === 'jwt_required' || (reason === 'unauthorized' && sent !== undefined)
}

function needsRole(error: unknown): boolean {
  return isApiFailure(error) && error.data?.reason === 'role_required'
}

/** A subscription from the event after `lastEventId` on. */
function after(op: Operation, lastEventId: string): Operation {
  return { ...op, input: { ...fieldsOf(op.input), lastEventId } }
}
