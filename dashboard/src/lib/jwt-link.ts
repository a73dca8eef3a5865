/** On servers that require a JWT for changes, exchanges the session for one. */

import type { AppRouter } from '@svc-platform/client'
import type { TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { isApiFailure } from './api-error'

export type TokenStore = {
  /** The JWT to send, if there is one. */
  token(): string | undefined
  link: TRPCLink<AppRouter>
}

/** Sends a refused mutation once more, with a JWT that `mint` gets. The JWT is kept in memory only. */
export function createTokenStore(mint: () => Promise<string>): TokenStore {
  let token: string | undefined
  let minting: Promise<string> | undefined

  function renew(): Promise<string> {
    minting ??= mint().finally(() => {
      minting = undefined
    })
    return minting
  }

  const link: TRPCLink<AppRouter> =
    () =>
    ({ op, next }) =>
      observable((observer) => {
        let subscription: { unsubscribe(): void } | undefined
        let isClosed = false
        const send = (mayRenew: boolean): void => {
          subscription = next(op).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error(error) {
              if (!mayRenew || !needsToken(error, token)) {
                observer.error(error)
                return
              }
              renew().then(
                (minted) => {
                  token = minted
                  if (!isClosed) send(false)
                },
                () => observer.error(error),
              )
            },
          })
        }
        send(op.type === 'mutation' && op.path !== 'tokens.mint')
        return () => {
          isClosed = true
          subscription?.unsubscribe()
        }
      })

  return { token: () => token, link }
}

/** A JWT is required, or the one that was sent has expired. */
function needsToken(error: unknown, sent: string | undefined): boolean {
  if (!isApiFailure(error)) return false
  const reason = error.data?.reason
  return reason === 'jwt_required' || (reason === 'unauthorized' && sent !== undefined)
}
