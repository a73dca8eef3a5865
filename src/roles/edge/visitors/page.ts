/** The page of a protected site for visitors in a browser: without scripts, and kept by nobody. */
import { hash } from 'node:crypto'
import { escapeHtml } from '../../../lib/names/escape-html.ts'
import { passwordPath } from '../../../platform/visitors/paths.ts'
import { cacheControl, type SiteResponse } from '../responses/response.ts'

const styles = `:root{color-scheme:light dark;--link:#1f4fc4;--on-link:#fff;--alert:#a1161c}
@media(prefers-color-scheme:dark){:root{--link:#8db2ff;--on-link:#10131a;--alert:#ff9b9b}}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.55 system-ui,sans-serif}
main{max-width:26rem;margin:0 auto;padding:12vh 1rem 4rem;overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
a.button,button{display:inline-block;padding:.5rem 1rem;font:inherit;text-decoration:none;cursor:pointer;
  color:var(--on-link);background:var(--link);border:1px solid var(--link);border-radius:.25rem}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
label{display:block}
input{display:block;width:100%;margin:.25rem 0 1rem;padding:.5rem;font:inherit}
form{margin:0 0 2rem}
[role=alert]{color:var(--alert);font-weight:600}
.dim{opacity:.75}`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', styles, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export type PageContent = {
  status: 401 | 429 | 503
  /** Where signing in leads back from; undefined where this server doesn't know it. */
  signInUrl: string | undefined
  /** The fields of the password's form; undefined where the site has none. */
  form: { path: string; nonce: string } | undefined
  problem?: string | undefined
  /** A `Set-Cookie` value. */
  cookie: string
  retryAfterS?: number | undefined
}

/** The page, with a link to sign in, and a form where the site has a password. */
export function visitorPage({
  status,
  signInUrl,
  form,
  problem,
  cookie,
  retryAfterS,
}: PageContent): SiteResponse {
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>This site is protected</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>This site is protected</h1>
${problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`}
${form ? passwordForm(form) : ''}
<p>Are you in its team?</p>
${signInUrl === undefined ? unknownPlace : signInLink(signInUrl)}
<p class="dim">Otherwise ask whoever sent you here for a share link.</p>
</main>
</body>
</html>
`
  const headers = [
    'Content-Type',
    'text/html; charset=utf-8',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Length',
    String(Buffer.byteLength(text)),
    'Cache-Control',
    cacheControl.private,
    'Content-Security-Policy',
    policy,
    'Referrer-Policy',
    'no-referrer',
    'X-Robots-Tag',
    'noindex',
    'Set-Cookie',
    cookie,
    ...(status === 401 ? ['WWW-Authenticate', 'Bearer'] : []),
    ...(retryAfterS === undefined ? [] : ['Retry-After', String(retryAfterS)]),
  ]
  return { status, headers, body: [text] }
}

function signInLink(url: string): string {
  return `<p><a class="button" href="${escapeHtml(url)}">Sign in</a></p>`
}

const unknownPlace =
  '<p>This server does not know where to sign in: its operator sets <code>SVC_URL</code>.</p>'

function passwordForm({ path, nonce }: { path: string; nonce: string }): string {
  return `<form method="post" action="${passwordPath}">
<input type="hidden" name="path" value="${escapeHtml(path)}">
<input type="hidden" name="nonce" value="${escapeHtml(nonce)}">
<label>Password of this site<input type="password" name="password" autocomplete="current-password"
 maxlength="128" required autofocus></label>
<button>Open</button>
</form>`
}
