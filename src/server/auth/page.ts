/** Small HTML pages without scripts or external resources. */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const styles = `body{max-width:24rem;margin:4rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#1c1f26}
label{display:block;margin-top:1rem}input{box-sizing:border-box;width:100%;padding:.5rem;font:inherit}
button{margin-top:1.5rem;padding:.5rem 1rem;font:inherit}[role=alert]{color:#a1161c}`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', styles, 'base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  // The URLs of these pages contain secrets.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Sends a page; `body` is HTML. */
export function sendPage(reply: FastifyReply, status: number, title: string, body: string): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`)
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML, including quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
