/** Schemas as lists of their fields. */
import { type Html, html } from '../pages/html.ts'
import { nameOf, type Schema } from './reference.ts'

/**
 * The fields of an object, or of what a list or a nullable field holds; undefined if there are none of its
 * own.
 */
export function fieldsOf(schema: Schema, sent: boolean): Html | undefined {
  const { properties, required = [] } = schema
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) =>
      fieldOf({ name, schema: field, required: required.includes(name), sent }),
    )
    return html`<ul class="fields">${fields}</ul>`
  }
  const inner = [...partsOf(schema), ...(schema.items ? [schema.items] : []), ...valuesOf(schema)]
  const lists = inner.flatMap((each) => fieldsOf(each, sent) ?? [])
  return lists.length > 0 ? html`${lists}` : undefined
}

/** `sent`: in a request, where fields may be left out. */
type Field = { name: string; schema: Schema; required: boolean; sent: boolean }

/** One field, with the fields below it. */
export function fieldOf({ name, schema, required, sent }: Field): Html {
  const { description } = schema
  const presence = sent ? (required ? 'required' : undefined) : required ? undefined : 'not always there'
  const facts = html`${typeOf(schema)}${presence && html`, <b>${presence}</b>`}${factsOf(schema)}`
  return html`<li><code>${name}</code> <span class="dim">${facts}</span>
${description === undefined ? undefined : html`<div>${prose(description)}</div>`}
${fieldsOf(schema, sent)}</li>`
}

/** Text with code in backticks. */
export function prose(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`
}

/** The type of a schema in words, such as "list of Deployment" or "string or null". */
export function typeOf(schema: Schema): Html {
  const words = new Map(alternativesOf(schema).map((word) => [word.markup, word]))
  const others = [...words.values()].filter(({ markup }) => markup !== none.markup)
  return joined(words.has(none.markup) ? [...others, none] : others, ' or ')
}

const none = html`null`

/** However deep they stand in one another. */
function alternativesOf(schema: Schema): Html[] {
  const parts = partsOf(schema)
  if (parts.length > 0) return parts.flatMap(alternativesOf)
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    return [html`<a href="#${name}">${name}</a>`]
  }
  if (schema.const !== undefined) return [literal(schema.const)]
  if (schema.enum) return schema.enum.map(literal)
  if (schema.prefixItems) return [html`[${joined(schema.prefixItems.map(typeOf), ', ')}]`]
  if (schema.items) return [html`list of ${typeOf(schema.items)}`]
  const [value] = valuesOf(schema)
  if (value) return [html`object of ${typeOf(value)}`]
  return [schema.type ?? 'any'].flat().map((name) => html`${name}`)
}

const partsOf = ({ anyOf, oneOf }: Schema): Schema[] => anyOf ?? oneOf ?? []

/** The values of an object whose names are free. */
function valuesOf({ additionalProperties }: Schema): Schema[] {
  return typeof additionalProperties === 'object' ? [additionalProperties] : []
}

const literal = (value: unknown) => (value === null ? none : html`<code>${JSON.stringify(value)}</code>`)

function joined(parts: Html[], between: string): Html {
  return { markup: parts.map(({ markup }) => markup).join(between) }
}

/** Limits and the default. */
function factsOf(schema: Schema): Html {
  const all = [schema, ...partsOf(schema)]
  const facts = all.flatMap((each) => [
    ...range(each.minLength, each.maxLength, 'characters'),
    ...range(each.minItems, each.maxItems, 'items'),
    ...range(each.minimum, each.maximum, ''),
  ])
  const unset = schema.default === undefined ? undefined : html`, default ${literal(schema.default)}`
  return html`${facts.map((fact) => html`, ${fact}`)}${unset}`
}

/** The largest integer that JSON carries exactly is no limit of ours. */
function range(from: number | undefined, to: number | undefined, unit: string): string[] {
  const end = unit === '' ? '' : ` ${unit}`
  const least = from !== undefined && from > 0 && from > Number.MIN_SAFE_INTEGER ? from : undefined
  const most = to !== undefined && to < Number.MAX_SAFE_INTEGER ? to : undefined
  if (most !== undefined) return [least === undefined ? `at most ${most}${end}` : `${least} to ${most}${end}`]
  return least === undefined || (least === 1 && unit === 'characters') ? [] : [`at least ${least}${end}`]
}
