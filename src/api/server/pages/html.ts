/** HTML in which text cannot become markup. */
import { escapeHtml } from '../../../lib/names/escape-html.ts'

/** Markup, made by `html` or by the build; every other value in a template is escaped. */
export type Html = { readonly markup: string }

type Value = string | number | Html | readonly Html[] | undefined

/** A template of HTML: escapes text, joins lists, and leaves out what is undefined. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: String.raw({ raw: parts }, ...values.map(markupOf)) }
}

function markupOf(value: Value): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}
