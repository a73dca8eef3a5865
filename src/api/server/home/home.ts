/**
 * `/`: the dashboard, or without its files a page that says what this is, where to go, and who is signed in.
 */
import type { FastifyInstance } from 'fastify'
import { isExposed } from '../../../lib/net/loopback.ts'
import { version } from '../../../lib/version.ts'
import { membershipsOf } from '../../../platform/callers/look-ups/find-session.ts'
import type { Membership } from '../../../platform/callers/select-session-team.ts'
import { signInPath, signOutPath } from '../../../platform/people/paths.ts'
import { findSignedIn, type SignedIn } from '../auth/signed-in.ts'
import { limitAddress } from '../caller/limit-requests.ts'
import { countAs } from '../caller/request-state.ts'
import { sendPath } from '../dashboard/send-file.ts'
import type { ServerDeps } from '../deps.ts'
import { readPackages } from '../npm-packages.ts'
import { answerWithPages } from '../pages/error-pages.ts'
import { type Html, html } from '../pages/html.ts'
import { sendPage, sendPageWithInline } from '../pages/page.ts'
import { zipForm, zipScript } from './zip-form.ts'

/** Adds it; the page, unlike the dashboard, draws from the address's rate limit. */
export function mountHome(app: FastifyInstance, deps: ServerDeps): void {
  const { services, limits, log, dashboard } = deps
  const limiting = { limits, observe: services.observe }
  app.register(async (scope) => {
    answerWithPages(scope, log)
    scope.addHook('onRequest', countAs('home'))
    scope.addHook('onRequest', (request, reply, done) => {
      const limit = () => limitAddress(limiting, { request, reply }, done)
      const exchange = { request, reply, apiUrl: services.apiUrl }
      if (dashboard) sendPath(dashboard, exchange).then((isSent) => isSent || limit(), done)
      else limit()
    })
    scope.get('/', async (request, reply) => {
      const person = await findSignedIn(deps, request, reply)
      const teams = person && (await membershipsOf(services.store, person.id))
      const who = person && teams && whoIs(person, teams)
      const state = !dashboard ? 'off' : (await dashboard.isBuilding()) ? 'building' : 'missing'
      const zip = teams && state !== 'off' ? zipForm(teams) : undefined
      if (state === 'building' && !zip) reply.header('refresh', refreshSeconds)
      const body = homePage(services.apiUrl, { state, who, zip })
      return zip
        ? sendPageWithInline(reply, 'svc', { body, script: zipScript })
        : sendPage(reply, 200, 'svc', body)
    })
  })
}

/** How soon a browser looks again whether the dashboard has been built. */
const refreshSeconds = 5

/** Why there is no dashboard. */
type Absence = 'off' | 'building' | 'missing'

const sentences: Record<Absence, Html> = {
  off: html`The dashboard is switched off here (<code>SVC_DASHBOARD</code>).`,
  building: html`The dashboard is being built, and appears here within two minutes.
The API and the sites are ready.`,
  missing: html`The files of the dashboard are not installed;
<code>npm run dashboard</code> in a clone builds them.`,
}

type Parts = { state: Absence; who: Html | undefined; zip: Html | undefined }

function homePage(apiUrl: string, { state, who, zip }: Parts): Html {
  return html`<p>Deploy sites and serve them by host name.
This is version ${version} at <code>${apiUrl}</code>.</p>
<p role="status" id="state">${sentences[state]}</p>
${isExposed(apiUrl) ? exposed(apiUrl) : undefined}
${zip}
${who ?? html`<p><a href="${signInPath}">Sign in</a></p>`}
<h2>Where to go</h2>
<ul>
<li><a href="/docs">Documentation</a>: deploying, domains, DNS, webhooks, limits, errors</li>
<li><a href="/docs/reference">API reference</a>, and the same as an
<a href="/openapi.json">OpenAPI document</a></li>
</ul>
<h2>The command, and the client for TypeScript</h2>
<p>This server has those of its own version:</p>
<pre tabindex="0"><code>npm install -g ${apiUrl}/svc.tgz
svc login --url ${apiUrl}</code></pre>
<pre tabindex="0"><code>npm install ${apiUrl}/client.tgz</code></pre>
<p>Their SHA-256:</p>
<ul>
${readPackages().map(digestOf)}</ul>`
}

function digestOf({ path, sha256 }: { path: string; sha256: string }): Html {
  return html`<li><a href="${path}">${path.slice(1)}</a> <code>${sha256}</code></li>\n`
}

function whoIs({ name, email }: SignedIn, teams: Membership[]): Html {
  const person = html`<strong>${email}</strong>${name === email ? undefined : ` (${name})`}`
  const listed = teams.map(
    ({ teamSlug, role, plan }) => html`<li><strong>${teamSlug}</strong> (${role}, ${plan} plan)</li>\n`,
  )
  return html`<h2>Signed in</h2>
<p>As ${person}, in ${teams.length === 1 ? 'the team' : 'the teams'}:</p>
<ul>
${listed}</ul>
<form method="post" action="${signOutPath}"><button class="plain">Sign out</button></form>`
}

function exposed(apiUrl: string): Html {
  return html`<p role="alert">The address ${apiUrl} is plain http: whoever is on the way can read passwords
and keys, and change what is downloaded. Set SVC_URL to an https address, and SVC_TLS_CERT and SVC_TLS_KEY,
or put a proxy with TLS in front.</p>`
}
