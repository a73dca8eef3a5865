/** Lets a client with an API key or a session call servers that require JWTs: it exchanges that on demand. */
import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import type { AppRouter } from '../routers/index.ts'
import { fieldsOf, isExchange } from './call-scope.ts'
import type { Caller } from './caller.ts'
import { isOf, isPromoted } from './jwt-claims.ts'
import type { JwtSource } from './jwt-source.ts'

/**
 * A link that makes a call once its source of JWTs has settled, and once more with another JWT where the server requires one,
 * or no longer accepts the one that was sent, and where a member's is refused of one who is an owner by now. An exchange that names no team is for `team`, unless its context says `ofPerson`.
 */
export function createJwtLink({ known, jwtsFor }: Caller, team: string | undefined): TRPCLink<AppRouter> {
  return () =>
    ({ op: given, next }) => {
      if (isExchange(given)) return next(exchangeIn(team, given))
      const finding = known(given)
      if (!finding && !jwtsFor(given)) return next(given)
      return observable((observer) => {
        let jwts: JwtSource | undefined
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
              const reason = refusal.data?.reason
              if (!mayRenew) return observer.error(refusal)
              if (reason === 'jwt_required' || (reason === 'unauthorized' && used !== undefined)) {
                mayRenew = false
                jwts?.renew(used).then(send, fail)
              } else if (reason === 'role_required' && isOf('member', used)) {
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

        function start(): void {
          jwts = jwtsFor(given)
          const settling = jwts?.settled()
          if (settling) settling.then(send, fail)
          else send()
        }

        if (finding) finding.then(start, fail)
        else start()
        return () => {
          isClosed = true
          current?.unsubscribe()
        }
      })
    }
}

function exchangeIn(team: string | undefined, op: Operation): Operation {
  if (team === undefined || op.context.ofPerson === true) return op
  return { ...op, input: { team, ...fieldsOf(op.input) } }
}

/** A subscription from the event after `lastEventId` on. */
function after(op: Operation, lastEventId: string): Operation {
  return { ...op, input: { ...fieldsOf(op.input), lastEventId } }
}
