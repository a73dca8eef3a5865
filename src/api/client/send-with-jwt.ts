/**
 * Makes a call with a JWT, and again with another where that is refused. It imports nothing of tRPC, whose
 * version is each package's own.
 */
import { fieldsOf } from './call-scope.ts'
import { isOf, isPromoted } from './jwt-claims.ts'
import type { JwtSource } from './jwt-source.ts'

type Subscription = { unsubscribe(): void }

type Observer<Envelope, Refusal> = {
  next(envelope: Envelope): void
  error(refusal: Refusal): void
  complete(): void
}

/** A call in a link of tRPC. */
type Sending<Op, Envelope, Refusal> = {
  op: Op
  next(op: Op): { subscribe(observer: Observer<Envelope, Refusal>): Subscription }
  observer: Observer<Envelope, Refusal>
  /** The call's error for one of the exchange. */
  refusalOf(error: Error): Refusal
}

/**
 * Sends once the source of JWTs has settled, and once more with another JWT where the server requires one, or
 * no longer accepts the one that was sent, and where a member's is refused of one who is an owner by now.
 * Returns what ends the call.
 */
export function sendWithJwt<
  Op extends { input: unknown },
  Envelope extends { result: object },
  Refusal extends { data?: { reason?: unknown } | null | undefined },
>(
  { op: given, next, observer, refusalOf }: Sending<Op, Envelope, Refusal>,
  jwts: Omit<JwtSource, 'names'>,
): () => void {
  let op = given
  let current: Subscription | undefined
  let isClosed = false
  let mayRenew = true
  const fail = (error: Error) => observer.error(refusalOf(error))

  function send(): void {
    if (isClosed) return
    const used = jwts.current()
    current = next(op).subscribe({
      complete: () => observer.complete(),
      next(envelope) {
        const { result } = envelope
        if ('id' in result && result.id !== undefined) {
          // A stream outlives JWTs: each may be replaced, and it goes on where it was.
          op = { ...given, input: { ...fieldsOf(given.input), lastEventId: result.id } }
          mayRenew = true
        }
        observer.next(envelope)
      },
      error(refusal) {
        const reason = refusal.data?.reason
        if (!mayRenew) return observer.error(refusal)
        if (reason === 'jwt_required' || (reason === 'unauthorized' && used !== undefined)) {
          mayRenew = false
          jwts.renew(used).then(send, fail)
        } else if (reason === 'role_required' && isOf('member', used)) {
          mayRenew = false
          const give = () => observer.error(refusal)
          const sendIfPromoted = () => (isPromoted(jwts.current(), used) ? send() : give())
          jwts.renew(used).then(sendIfPromoted, give)
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
}
