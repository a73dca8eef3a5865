/** The pages below `/docs`. */
import { type Html, html } from '../pages/html.ts'
import { renderPage } from '../pages/page.ts'
import { groups } from './contents.ts'
import { type Guide, readGuides } from './guides.ts'
import { readReference, type Tag } from './reference.ts'
import { referenceIndex, referencePath, tagPage, tagPath } from './reference-pages.ts'

const guidePath = (name: string) => `/docs/${name}`

/** Every page by its path, for the API at `apiUrl` that `document` (OpenAPI) describes. */
export function renderDocs(apiUrl: string, document: unknown): Map<string, string> {
  const reference = readReference(document)
  const guides = readGuides(apiUrl)
  const pages = new Map<string, string>()
  const add = (path: string, title: string, body: Html) =>
    pages.set(path, renderPage(title, body, navigation(guides, reference.tags, path)))
  add('/docs', 'Documentation', index(guides, reference.tags))
  for (const guide of guides.values()) add(guidePath(guide.name), guide.title, { markup: guide.markup })
  add(referencePath, 'API reference', referenceIndex(reference, apiUrl))
  for (const tag of reference.tags)
    add(tagPath(tag), `Reference: ${tag.name}`, tagPage(reference, tag, apiUrl))
  return pages
}

/** The guides of each group; those of none are not linked. @throws where a guide is missing. */
function grouped(guides: Map<string, Guide>): { title: string; guides: Guide[] }[] {
  return groups.map(({ title, guides: names }) => ({
    title,
    guides: names.map((name) => {
      const guide = guides.get(name)
      if (!guide) throw new Error(`There is no guide ${name}.`)
      return guide
    }),
  }))
}

function index(guides: Map<string, Guide>, tags: Tag[]): Html {
  return html`${grouped(guides).map(
    ({ title, guides: listed }) => html`<h2>${title}</h2>
<ul>${listed.map((guide) => html`<li>${guideLink(guide)}${sectionsOf(guide)}</li>\n`)}</ul>
`,
  )}
<h2><a href="${referencePath}">API reference</a></h2>
<ul>${tags.map((tag) => html`<li><a href="${tagPath(tag)}">${tag.name}</a>: ${tag.description}</li>\n`)}
<li><a href="/openapi.json">openapi.json</a>: the same for tools, as OpenAPI 3.1</li></ul>`
}

function guideLink({ name, title }: Guide): Html {
  return html`<a href="${guidePath(name)}">${title}</a>`
}

function sectionsOf({ sections }: Guide): Html | undefined {
  return sections.length === 0
    ? undefined
    : html`<div class="dim">${sections.map(({ text }) => text).join(' · ')}</div>`
}

/** The way to every page; `here` is the page that it is on. */
function navigation(guides: Map<string, Guide>, tags: Tag[], here: string): Html {
  const link = (path: string, text: string) =>
    html`<li><a href="${path}"${path === here ? html` aria-current="page"` : undefined}>${text}</a></li>\n`
  return html`${grouped(guides).map(
    ({ title, guides: listed }) => html`<h2>${title}</h2>
<ul>${listed.map((guide) => link(guidePath(guide.name), guide.title))}</ul>
`,
  )}
<h2>Reference</h2>
<ul>${link(referencePath, 'All operations')}${tags.map((tag) => link(tagPath(tag), tag.name))}
<li><a href="/openapi.json">openapi.json</a></li></ul>`
}
