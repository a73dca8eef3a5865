/** The pages below `/docs`. */
import { type Html, html } from '../pages/html.ts'
import { renderPage } from '../pages/page.ts'
import { groups } from './contents.ts'
import { type RootFile, rootFiles } from './crawlers.ts'
import { descriptionOf } from './description.ts'
import { type Guide, readGuides } from './guides.ts'
import { pageMarkdown } from './page-markdown.ts'
import { pageScript } from './page-script.ts'
import { type Passage, passagesOf } from './passages.ts'
import { readReference, type Tag } from './reference.ts'
import { referenceIndex, referencePath, tagPage, tagPath } from './reference-pages.ts'
import { rpcPage, rpcPath } from './rpc-page.ts'
import { searchForm, searchPath, searchResults } from './search-page.ts'

const about =
  'Guides to svc, which deploys sites and serves them by host name: deploying, builds, git, domains, DNS, ' +
  'webhooks, limits, and the reference of its API.'

const guidePath = (name: string) => `/docs/${name}`

const markdownPath = (path: string) => `${path}.md`

export type Docs = {
  /** HTML by path. */
  pages: Map<string, string>
  /** Text by path: pages as Markdown, and the files at the root. */
  files: Map<string, RootFile>
  /** The page with what was found for a query. */
  search(query: string): string
}

/** Everything that there is to read, for the API at `apiUrl` that `document` (OpenAPI) and `rpc` describe. */
export function renderDocs(apiUrl: string, document: unknown, rpc: unknown): Docs {
  const reference = readReference(document)
  const guides = readGuides(apiUrl)
  const pages = new Map<string, string>()
  const markdown = new Map<string, string>()
  const passages: Passage[] = []
  const render = (
    path: string,
    title: string,
    body: Html,
    { query, text }: { query?: string; text?: string },
  ) =>
    renderPage(title, body, {
      description: text === undefined ? undefined : descriptionOf(text),
      contents: navigation(guides, reference.tags, path),
      search: searchForm(query),
      script: pageScript,
    })
  const add = (path: string, title: string, body: Html, text = pageMarkdown({ title, ...body })) => {
    pages.set(path, render(path, title, html`${body}${markdownLink(path)}`, { text }))
    markdown.set(markdownPath(path), text)
    passages.push(...passagesOf({ path, title, markup: body.markup }))
  }
  for (const { name, title, markup, markdown: text } of guides.values())
    add(guidePath(name), title, { markup }, text)
  add(referencePath, 'API reference', referenceIndex(reference, apiUrl))
  for (const tag of reference.tags)
    add(tagPath(tag), `Reference: ${tag.name}`, tagPage(reference, tag, apiUrl))
  add(rpcPath, 'Reference: RPC', rpcPage(rpc, apiUrl))
  // Its own words are those of the others.
  pages.set('/docs', render('/docs', 'Documentation', index(guides, reference.tags), { text: about }))
  const paths = [...pages.keys()]
  const files = rootFiles({ apiUrl, groups: grouped(guides), tags: reference.tags, paths })
  for (const [path, text] of markdown) files.set(path, { type: 'text/markdown; charset=utf-8', text })
  return {
    pages,
    files,
    search: (query) => render(searchPath, 'Search', searchResults(passages, query), { query }),
  }
}

function markdownLink(path: string): Html {
  return html`<p class="dim"><a href="${markdownPath(path)}">This page as Markdown</a></p>`
}

type Listed = { guide: Guide; about: string }

/** The guides of each group; those of none are not linked. @throws where a guide is missing. */
function grouped(guides: Map<string, Guide>): { title: string; guides: Listed[] }[] {
  return groups.map(({ title, about: sentences }) => ({
    title,
    guides: Object.entries(sentences).map(([name, about]) => {
      const guide = guides.get(name)
      if (!guide) throw new Error(`There is no guide ${name}.`)
      return { guide, about }
    }),
  }))
}

function index(guides: Map<string, Guide>, tags: Tag[]): Html {
  return html`${grouped(guides).map(
    ({ title, guides: listed }) => html`<h2>${title}</h2>
<ul>${listed.map(
      ({ guide, about }) => html`<li>${guideLink(guide)}: ${about}${sectionsOf(guide)}</li>\n`,
    )}</ul>
`,
  )}
<h2><a href="${referencePath}">API reference</a></h2>
<ul>${tags.map((tag) => html`<li><a href="${tagPath(tag)}">${tag.name}</a>: ${tag.description}</li>\n`)}
<li><a href="/openapi.json">openapi.json</a>: the same for tools, as OpenAPI 3.1</li>
<li><a href="${rpcPath}">RPC</a>: what is there by RPC alone</li>
<li><a href="/rpc.json">rpc.json</a>: the same for tools, as JSON Schema</li></ul>`
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
<ul>${listed.map(({ guide }) => link(guidePath(guide.name), guide.title))}</ul>
`,
  )}
<h2>Reference</h2>
<ul>${link(referencePath, 'All operations')}${tags.map((tag) => link(tagPath(tag), tag.name))}
${link(rpcPath, 'RPC')}
<li><a href="/openapi.json">openapi.json</a></li></ul>`
}
