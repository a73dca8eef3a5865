/** Small HTML pages without external resources, and nearly all without scripts. */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Html, html } from './html.ts'
import { isolation } from './isolation.ts'
import { styles } from './styles.ts'

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', styles, 'base64')}'`,
  'img-src data:',
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

/** The headers of every page. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy.join('; '),
  // URLs of these pages contain secrets. With `no-referrer` the Origin of their forms would be `null` (Fetch,
  // section 3.2).
  'referrer-policy': 'same-origin',
  ...isolation,
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' " +
  "viewBox='0 0 16 16'%3E%3Cpath fill='%231f4fc4' d='M8 1l7 13H1z'/%3E%3C/svg%3E"

/** Sends a page whose heading is its title; `body` follows the heading. Nobody keeps it. */
export function sendPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  return reply
    .code(status)
    .headers({ ...pageHeaders, 'cache-control': 'no-store' })
    .send(renderPage(title, body))
}

/** Sends a page as `sendPage` does, which may also run the script at `src`, a path of this origin. */
export function sendPageWithScript(
  reply: FastifyReply,
  status: number,
  title: string,
  { body, src }: { body: Html; src: string },
): FastifyReply {
  const script = html`<script src="${src}" defer></script>`
  return reply
    .code(status)
    .headers({
      ...pageHeaders,
      'content-security-policy': [...policy, "script-src 'self'"].join('; '),
      'cache-control': 'no-store',
    })
    .send(renderPage(title, html`${body}\n${script}`))
}

/** The page with this title, with `contents`, if any, beside the body, or below it on a phone. */
export function renderPage(title: string, body: Html, contents?: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'svc' ? title : `${title} · svc`}</title>
<link rel="icon" href="${icon}">
<style>${{ markup: styles }}</style>
</head>
<body${contents && html` class="docs"`}>
<header><a href="/">svc</a><nav aria-label="Site">
<a href="/docs">Documentation</a> <a href="/docs/reference">API reference</a>${
    contents && html` <a class="narrow" href="#contents">Contents</a>`
  }</nav></header>
<main>
<h1>${title}</h1>
${body}
</main>
${contents && html`<nav id="contents" aria-label="Contents">${contents}</nav>`}
</body>
</html>
`.markup
}
