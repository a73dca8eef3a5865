/** Lets a client that has an API key call servers that want JWTs: it exchanges the key when it is asked to. */
import type { Operation, TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import type { AppRouter } from '../routers/index.ts'

/** Takes only the key, which it exchanges. */
const exchange = 'tokens.mint'

/**
 * A link that repeats a refused mutation once with a JWT from `mint`, and the token with which to send operations: the
 * JWT for mutations as soon as one was asked for, else `key`. A JWT that the server takes no more is replaced.
 */
export function createJwtLink(
  key: string,
  mint: () => Promise<{ token: string }>,
): { link: TRPCLink<AppRouter>; tokenFor: (operations: readonly Operation[]) => string } {
  let jwt: string | undefined
  let minting: Promise<void> | undefined

  /** Shared by the calls that were refused together. */
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
