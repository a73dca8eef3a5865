/** Lets a client with an API key or a session call servers that require JWTs: it exchanges that on demand. */
import type { Operation, TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import type { AppRouter } from '../routers/index.ts'

/** The only mutation that accepts an API key there. */
const exchange = 'tokens.mint'

/**
 * A link that retries a refused mutation once with a JWT from `mint`, and the token for operations: the JWT for
 * mutations once one was required, else `key`, which is undefined for a session. A JWT that the server no longer accepts is replaced.
 */
export function createJwtLink(
  key: string | undefined,
  mint: () => Promise<{ token: string }>,
): { link: TRPCLink<AppRouter>; tokenFor: (operations: readonly Operation[]) => string | undefined } {
  let jwt: string | undefined
  let minting: Promise<void> | undefined

  /** Shared by calls that were refused at the same time. */
  function renew(): Promise<void> {
    minting ??= mint()
      .then(({ token }) => {
        jwt = token
      })
      .finally(() => {
        minting = undefined
      })
    return minting
  }

  const link: TRPCLink<AppRouter> = () => (call) => {
    const { op, next } = call
    if (!takesJwt(op)) return next(op)
    return observable((observer) => {
      const used = jwt
      let current: Unsubscribable = next(op).subscribe({
        ...observer,
        error(refusal) {
          const reason = refusal.data?.reason
          const isAsked = reason === 'jwt_required' || (reason === 'unauthorized' && used !== undefined)
          if (!isAsked) return observer.error(refusal)
          renew().then(
            () => {
              current = next(op).subscribe(observer)
            },
            (failure) => observer.error(failure),
          )
        },
      })
      return () => current.unsubscribe()
    })
  }

  return {
    link,
    tokenFor: (operations) => (jwt !== undefined && operations.every(takesJwt) ? jwt : key),
  }
}

function takesJwt({ type, path }: Operation): boolean {
  return type === 'mutation' && path !== exchange
}
