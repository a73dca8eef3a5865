/** People of the dashboard: signing in and out, their sessions, and the links with which they set a password. */
import { AppError } from '../../errors.ts'
import type { AuthHandler, AuthOptions } from './better-auth.ts'
import { findLink } from './links.ts'
import { type LinkUse, useLink } from './use-link.ts'

export type People = {
  /** Answers a request below `/auth`, one that needs the provider or one that doesn't. @throws AppError */
  answer(request: Request, via: 'password' | 'provider'): Promise<Response>
  /** What people call the provider at which they may sign in, if there is one. */
  providerName: string | undefined
  /** What a link is for, or undefined when it is no good. */
  findLink(token: string): Promise<{ email: string | null } | undefined>
  /** Sets a password with a link. @throws AppError */
  useLink(use: LinkUse): Promise<{ email: string }>
}

/** People of the installation that `options` tell of. */
export function createPeople(options: AuthOptions): People {
  const { store, nowMs, oidc } = options
  const handlers = new Map<'password' | 'provider', Promise<AuthHandler>>()

  // Two of them, so that a provider which gives no answer doesn't keep anybody from signing in with a password.
  function handlerFor(via: 'password' | 'provider'): Promise<AuthHandler> {
    const known = handlers.get(via)
    if (known) return known
    const made = import('./better-auth.ts').then(({ createAuthHandler }) =>
      createAuthHandler({ ...options, oidc: via === 'provider' ? oidc : undefined }),
    )
    handlers.set(via, made)
    return made
  }

  return {
    async answer(request, via) {
      if (via === 'provider' && !oidc) {
        throw new AppError('unknown_path', 'There is no OpenID provider here: sign in with a password.')
      }
      return (await handlerFor(via))(request)
    },
    providerName: oidc?.name,
    findLink: (token) => findLink(store.db, token, nowMs()),
    useLink: (use) => useLink({ store, nowMs }, use),
  }
}
