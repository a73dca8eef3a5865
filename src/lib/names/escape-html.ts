/** Text in HTML. */

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const characters = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]))

/** Escapes text for HTML, including quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** The text that `escapeHtml` escaped. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity) ?? entity)
}
