/** The description of a page for search engines. */

/** As much as they show. */
const maxLength = 160

/** The first paragraph of a page in Markdown, without its markup, cut between words. */
export function descriptionOf(markdown: string): string | undefined {
  const paragraph = markdown.split(/\n\s*\n/).find((each) => /^(?!```)[\w`*[]/.test(each.trim()))
  const text = paragraph
    ?.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (text === undefined || text.length <= maxLength) return text
  return `${text.slice(0, maxLength - 1).replace(/\s+\S*$/, '')}…`
}
