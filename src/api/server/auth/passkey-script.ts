/** The part of a page where a passkey is used. It takes a script: without one, the part stays hidden. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { noPasskeys, relyingPartyOf } from '../../../platform/people/passkeys/relying-party.ts'
import { passkeyScriptPath } from '../../../platform/people/paths.ts'
import { type Html, html } from '../pages/html.ts'
import { isolation } from '../pages/isolation.ts'
import { sendPage, sendPageWithScript } from '../pages/page.ts'

/** Where the script gets what the browser needs and sends the use, the path it goes on to, and the button. */
type PasskeyPart = { options: string; finish: string; next: string; label: string }

/** That part; instead of the button, why there is none at an address where browsers have no passkeys. */
export function passkeyPart(apiUrl: string, { options, finish, next, label }: PasskeyPart): Html {
  const party = relyingPartyOf(apiUrl)
  if (!party) return html`<p class="dim">${noPasskeys}</p>`
  return html`<form id="passkey" hidden data-options="${options}" data-finish="${finish}" data-next="${next}"
 data-origin="${party.origin}">
<button class="plain">${label}</button>
<p role="alert"></p>
</form>`
}

/** Sends a page that may have such a part, of an API at `apiUrl`. */
export function sendPasskeyPage(
  reply: FastifyReply,
  status: number,
  title: string,
  { body, apiUrl }: { body: Html; apiUrl: string },
): FastifyReply {
  return relyingPartyOf(apiUrl)
    ? sendPageWithScript(reply, status, title, { body, src: passkeyScriptPath })
    : sendPage(reply, status, title, body)
}

/** Adds the script to a scope. */
export function mountPasskeyScript(scope: FastifyInstance): void {
  scope.get(passkeyScriptPath, async (_request, reply) =>
    reply
      .headers({
        ...isolation,
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-cache',
      })
      .send(script),
  )
}

/**
 * `toJSON` and its counterpart are younger than passkeys in some browsers, so bytes are written here
 * (WebAuthn, sections 5.1.8 and 5.1.10).
 */
const script = `'use strict'
const form = document.getElementById('passkey')
const alertOf = (text) => { form.querySelector('[role=alert]').textContent = text }

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

async function call(path, body) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = await response.json()
  if (response.ok) return answer
  const [issue] = answer.issues ?? []
  throw new Error(issue ? 'This passkey ' + issue.message + '.' : answer.message)
}

async function use(options) {
  const { id, rawId, type, response } = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      allowCredentials: options.allowCredentials.map((each) => ({ ...each, id: bytesOf(each.id) })),
    },
  })
  return {
    id,
    rawId: textOf(rawId),
    type,
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      ...(response.userHandle && { userHandle: textOf(response.userHandle) }),
    },
  }
}

function sentenceOf(error) {
  if (error.name === 'NotAllowedError') return 'No passkey was used: none is here, or you cancelled.'
  if (error.name === 'SecurityError') return 'Passkeys work at ' + form.dataset.origin + ' only.'
  return error.message
}

async function signIn(event) {
  event.preventDefault()
  const button = form.querySelector('button')
  const { options, finish, next } = form.dataset
  alertOf('')
  button.disabled = true
  try {
    const answer = await call(options, {})
    await call(finish, { passkey: await use(answer.passkey ?? answer) })
    location.assign(next)
  } catch (error) {
    alertOf(sentenceOf(error))
    button.disabled = false
  }
}

if (form && window.PublicKeyCredential) {
  form.hidden = false
  form.addEventListener('submit', signIn)
}
`
