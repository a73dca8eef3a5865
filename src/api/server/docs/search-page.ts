/** The page with what a search in the documentation found. It needs no script. */
import { type Html, html } from '../pages/html.ts'
import { findPassages, type Hit, maxQueryLength, type Passage } from './passages.ts'

export const searchPath = '/docs/search'

/** The field that is on every page. */
export function searchForm(query = ''): Html {
  return html`<form role="search" action="${searchPath}"><input type="search" name="q" value="${query}"
 maxlength="${maxQueryLength}" aria-label="Search the documentation" placeholder="Search" required></form>`
}

/** The body of the page. */
export function searchResults(passages: readonly Passage[], query: string): Html {
  const hits = findPassages(passages, query)
  if (query.trim() === '') return html`<p>Type what you look for into the field above.</p>`
  if (hits.length === 0) {
    return html`<p role="status">Nothing has all of “${query}”. Try fewer words, or look at
<a href="/docs">all pages</a>.</p>`
  }
  const places = hits.length === 1 ? 'One place has' : `${hits.length} places have`
  return html`<p role="status">${places} “${query}”.</p>
<ol class="hits">
${hits.map(hitOf)}</ol>`
}

function hitOf({ path, title, heading, excerpt }: Hit): Html {
  const name = heading === '' ? title : `${title}: ${heading}`
  return html`<li><a href="${path}">${name}</a><div class="dim">${excerpt}</div></li>\n`
}
