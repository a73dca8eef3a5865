/** Users of the dashboard: signing in and out, sessions, and links to set a password. */
import { AppError } from '../../lib/errors.ts'
import type { AuthHandler, AuthOptions } from './better-auth.ts'
import { type FoundLink, findLink } from './links.ts'
import { type LinkUse, useLink } from './use-link.ts'

export type People = {
  /** Handles a request below `/auth`; the provider has an instance of its own. @throws AppError */
  answer(request: Request, via: 'password' | 'provider'): Promise<Response>
  /** The name of the sign-in provider, if any. */
  providerName: string | undefined
  /** The purpose of a link; undefined if it is invalid. */
  findLink(token: string): Promise<FoundLink | undefined>
  /** Sets a password with a link. @throws AppError */
  useLink(use: LinkUse): Promise<{ email: string }>
}

/** The users of the installation that `options` describe. */
export function createPeople(options: AuthOptions): People {
  const { store, nowMs, oidc } = options
  const handlers = new Map<'password' | 'provider', Promise<AuthHandler>>()

  // Two instances, so that an unreachable provider doesn't block sign-in with a password.
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
        throw new AppError('unknown_path', 'No OpenID provider is configured: sign in with a password.')
      }
      return (await handlerFor(via))(request)
    },
    providerName: oidc?.name,
    findLink: (token) => findLink(store.db, token, nowMs()),
    useLink: (use) => useLink({ store, nowMs }, use),
  }
}
