/** Small HTML pages without external resources, and mostly without scripts. */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Html, html } from './html.ts'
import { iconUrl } from './icon.ts'
import { isolation } from './isolation.ts'
import { styles } from './styles.ts'

/** The headers of every page without a script. */
const pageHeaders = headersOf()

/** The headers of a page that has this script alone. */
export function headersWith(script: string): Record<string, string> {
  return headersOf(`script-src ${digestOf(script)}`)
}

function digestOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

function headersOf(...scripts: string[]): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${digestOf(styles)}`,
      ...scripts,
      'img-src data:',
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // URLs of these pages contain secrets. With `no-referrer` the Origin of their forms would be `null`
    // (Fetch, section 3.2).
    'referrer-policy': 'same-origin',
    ...isolation,
  }
}

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
    .headers({ ...headersOf("script-src 'self'"), 'cache-control': 'no-store' })
    .send(renderPage(title, html`${body}\n${script}`))
}

/** Sends a page as `sendPage` does, which may also run `script`, and no other one. */
export function sendPageWithInline(
  reply: FastifyReply,
  title: string,
  { body, script, status = 200 }: { body: Html; script: string; status?: number },
): FastifyReply {
  return reply
    .code(status)
    .headers({ ...headersWith(script), 'cache-control': 'no-store' })
    .send(renderPage(title, body, { script }))
}

type Parts = {
  /** Beside the body, or below it on a phone. */
  contents?: Html
  /** In the header. */
  search?: Html
  /** A script of ours, whose page has the headers of `headersWith`. */
  script?: string
  /** A sentence or two, for search engines and previews of links. */
  description?: string | undefined
}

/** The page with this title. */
export function renderPage(
  title: string,
  body: Html,
  { contents, search, script, description }: Parts = {},
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'svc' ? title : `${title} · svc`}</title>
${description === undefined ? undefined : html`<meta name="description" content="${description}">`}
<link rel="icon" href="${iconUrl}">
<style>${{ markup: styles }}</style>
</head>
<body${contents && html` class="docs"`}>
<header><a href="/">svc</a><nav aria-label="Site">
<a href="/docs">Documentation</a> <a href="/docs/reference">API reference</a>${
    contents && html` <a class="narrow" href="#contents">Contents</a>`
  }</nav>${search}</header>
<main>
<h1>${title}</h1>
${body}
</main>
${contents && html`<nav id="contents" aria-label="Contents">${contents}</nav>`}
${script === undefined ? undefined : html`<script>${{ markup: script }}</script>`}
</body>
</html>
`.markup
}
