/** Files that programs look for at a site's root: `robots.txt`, `sitemap.xml`, `llms.txt`, `favicon.ico`. */
import { html } from '../pages/html.ts'
import { iconSvg } from '../pages/icon.ts'
import type { Guide } from './guides.ts'
import type { Tag } from './reference.ts'
import { tagPath } from './reference-pages.ts'

/** A file of text: its type, and its text for the API at `apiUrl`. */
export type RootFile = { type: string; text: string }

type Contents = {
  apiUrl: string
  groups: { title: string; guides: { guide: Guide; about: string }[] }[]
  /** The categories of operations. */
  tags: Tag[]
  /** The paths of all pages. */
  paths: string[]
}

/** The files by path. */
export function rootFiles({ apiUrl, groups, tags, paths }: Contents): Map<string, RootFile> {
  return new Map([
    ['/robots.txt', { type: 'text/plain; charset=utf-8', text: robots(apiUrl) }],
    ['/sitemap.xml', { type: 'application/xml; charset=utf-8', text: sitemap(apiUrl, paths) }],
    ['/llms.txt', { type: 'text/markdown; charset=utf-8', text: llms({ apiUrl, groups, tags }) }],
    ['/favicon.ico', { type: 'image/svg+xml', text: iconSvg }],
  ])
}

/** The documentation is for everybody, the dashboard for people who sign in (RFC 9309). */
function robots(apiUrl: string): string {
  return `User-agent: *
Allow: /docs
Allow: /llms.txt
Allow: /openapi.json
Allow: /rpc.json
Disallow: /docs/search
Disallow: /

Sitemap: ${apiUrl}/sitemap.xml
`
}

/** The protocol of sitemaps.org. */
function sitemap(apiUrl: string, paths: string[]): string {
  const urls = paths.map((path) => html`<url><loc>${apiUrl}${path}</loc></url>\n`)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.markup
}

/** A list for language models (llmstxt.org): each page as Markdown, with a sentence. */
function llms({ apiUrl, groups, tags }: Omit<Contents, 'paths'>): string {
  const sections = groups.map(({ title, guides }) => {
    const lines = guides.map(
      ({ guide, about }) => `- [${guide.title}](${apiUrl}/docs/${guide.name}.md): ${about}`,
    )
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  const operations = tags.map(
    (tag) => `- [${tag.name}](${apiUrl}${tagPath(tag)}.md): ${tag.description.replaceAll(/\s+/g, ' ')}`,
  )
  return `# svc

> A deployment platform: it takes a site's files and serves them by host name. REST is below ${apiUrl}/v1.

Every request to the API needs \`Authorization: Bearer <API key>\`. The command \`svc\` of the same version is
installed with \`npm install -g ${apiUrl}/svc.tgz\`; then \`svc login --url ${apiUrl}\`, and
\`svc deploy <directory> --project <name> --prod\` in the directory of a project.

${sections.join('\n')}
## API

- [OpenAPI document](${apiUrl}/openapi.json): every operation with its input, output and errors, OpenAPI 3.1.
- [RPC document](${apiUrl}/rpc.json): what is there by RPC alone, as JSON Schema.
- [API reference](${apiUrl}/docs/reference.md): every operation in a line, and all errors.
${operations.join('\n')}
`
}
