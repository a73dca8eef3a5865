/**
 * The page of an invitation's link: somebody without an account makes one, and is in the team by the same
 * act; somebody who is signed in with the invited address accepts. Viewing the page doesn't use up the link.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { maxPasswordLength, minPasswordLength } from '../../../platform/people/password.ts'
import { acceptPath, joinPath, signInPath, signOutPath } from '../../../platform/people/paths.ts'
import {
  findLinkedInvitation,
  type LinkedInvitation,
} from '../../../platform/teams/invitation-links/find-invitation-link.ts'
import { newAccountInput } from '../../../platform/teams/invitation-links/invitation-link-input.ts'
import {
  joinWithAccount,
  joinWithNewAccount,
  linkUsedUp,
} from '../../../platform/teams/invitation-links/join.ts'
import { statusOf } from '../../trpc/error-body.ts'
import type { ServerDeps } from '../deps.ts'
import { type Html, html } from '../pages/html.ts'
import { sendPage, sendPageWithInline } from '../pages/page.ts'
import { dashboardPath } from './dashboard-path.ts'
import { newPasswordFields, newPasswordScript } from './new-password.ts'
import { enter, nextField, showSignIn, waysOf } from './sign-in-page.ts'
import { findSignedIn, type SignedIn } from './signed-in.ts'

const tokenSchema = z.object({ token: z.string().max(100) }).catch({ token: '' })

/** The field that the form keeps after a mistake: never a password. */
const typedSchema = z.object({ name: z.string().catch('') }).catch({ name: '' })

const formSchema = newAccountInput
  .extend({ again: z.string() })
  .refine(({ password, again }) => password === again, { path: ['again'], error: 'not the same' })

/** Messages for invalid fields. */
const sentences: Record<string, string> = {
  name: 'The name must have 1 to 100 characters in one line, all of which can be seen.',
  password: `The password must have ${minPasswordLength} to ${maxPasswordLength} characters.`,
  again: 'The two passwords are not the same.',
}

/** The token, what was typed, and what is wrong with it. */
type Typed = { token: string; name: string; problem?: string | undefined }

/** Adds the page and its forms to a scope that accepts forms of our own pages only. */
export function mountJoinPage(scope: FastifyInstance, deps: ServerDeps): void {
  const { services } = deps

  scope.get(joinPath, async (request, reply) => {
    const { token } = tokenSchema.parse(request.query)
    return showPage(request, reply, 200, { token, name: '' })
  })

  scope.post(joinPath, async (request, reply) => {
    const { token } = tokenSchema.parse(request.body)
    const { name } = typedSchema.parse(request.body)
    const form = formSchema.safeParse(request.body)
    if (!form.success) {
      const problem = sentences[String(form.error.issues[0]?.path[0])]
      return showPage(request, reply, 400, { token, name, problem })
    }
    const { password } = form.data
    try {
      const { email, slug } = await joinWithNewAccount(services, usedBy(request, token), form.data)
      return await enterWith(request, reply, { email, password, next: await dashboardPath(deps, `/${slug}`) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return showPage(request, reply, statusOf(error), { token, name, problem: error.message })
    }
  })

  scope.post(acceptPath, async (request, reply) => {
    const { token } = tokenSchema.parse(request.body)
    const person = await findSignedIn(deps, request, reply)
    if (!person) return reply.redirect(pathOf(token), 303)
    try {
      const asking = { userId: person.id, sessionId: person.sessionId }
      const { slug } = await joinWithAccount(services, usedBy(request, token), asking)
      return reply.redirect(await dashboardPath(deps, `/${slug}`), 303)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return showPage(request, reply, statusOf(error), { token, name: '', problem: error.message })
    }
  })

  /** The account is made: whatever keeps the person from being signed in now. */
  async function enterWith(
    request: FastifyRequest,
    reply: FastifyReply,
    person: { email: string; password: string; next: string },
  ) {
    try {
      return await enter(deps, request, reply, person)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const note = 'Your account is made, and you are in the team. Sign in.'
      const { email, next } = person
      const shown = { ...waysOf(deps), next, email, note, problem: error.message }
      return showSignIn(reply, statusOf(error), shown)
    }
  }

  async function showPage(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    typed: Typed,
  ): Promise<FastifyReply> {
    const { token, problem } = typed
    const invitation = await findLinkedInvitation(services.store.db, token, services.nowMs())
    if (!invitation) {
      const { message } = linkUsedUp()
      const body = html`<p>${message}</p>\n<p><a href="${signInPath}">Sign in</a></p>`
      return sendPage(reply, statusOf(linkUsedUp()), 'Invalid link', body)
    }
    const person = await findSignedIn(deps, request, reply)
    const alert = problem === undefined ? undefined : html`<p role="alert">${problem}</p>\n`
    const title = `Join ${invitation.team}`
    const about = html`${alert}${aboutOf(invitation)}`
    if (person)
      return sendPage(reply, status, title, html`${about}${waysOfPerson(invitation, token, person)}`)
    const body = html`${about}${formOf(invitation, typed)}`
    return sendPageWithInline(reply, title, { body, script: newPasswordScript, status })
  }
}

function usedBy(request: FastifyRequest, token: string) {
  return { token, address: request.address, requestId: request.id }
}

function aboutOf({ by, team, slug, email, role }: LinkedInvitation): Html {
  return html`<p><strong>${by}</strong> invites <strong>${email}</strong> to the team
<strong>${team}</strong> (${slug}) as ${role === 'owner' ? 'an owner' : 'a member'}.</p>
`
}

function formOf({ email, team }: LinkedInvitation, { token, name }: Typed): Html {
  return html`<p>Do you have an account with this address?
<a href="${signInPath}?next=${encodeURIComponent(pathOf(token))}">Sign in to accept with it.</a></p>
<form method="post" action="${joinPath}">
<input type="hidden" name="token" value="${token}">
<label>Email<input type="email" value="${email}" autocomplete="username" readonly></label>
<label>Your name<input name="name" value="${name}" autocomplete="name" maxlength="100"
 required autofocus></label>
${newPasswordFields('Password')}
<button>Make an account and join ${team}</button>
</form>
<p class="dim">You accept the invitation by that. Confirm the address later, on your account page, so that
nobody else can take it.</p>`
}

function waysOfPerson(invitation: LinkedInvitation, token: string, person: SignedIn): Html {
  const { email, team } = invitation
  const as = html`<p>You are signed in as <strong>${person.email}</strong>.`
  if (person.email === email && !person.isUnproven) {
    return html`${as}</p>
<form method="post" action="${acceptPath}">
<input type="hidden" name="token" value="${token}">
<button autofocus>Join ${team}</button>
</form>`
  }
  const why = person.isUnproven
    ? html`The address of this account is not confirmed, so that it can't accept another invitation:
<a href="/account">confirm it on your account page</a>, or ask the operator for a link.`
    : html`The invitation is for another address. Ask who invited you to invite
<strong>${person.email}</strong>, or sign out to go on as <strong>${email}</strong>.`
  return html`${as} ${why}</p>
<form method="post" action="${signOutPath}">${nextField(pathOf(token))}
<button class="plain">Sign out, and come back here</button>
</form>`
}

const pathOf = (token: string) => `${joinPath}?token=${encodeURIComponent(token)}`
