/** The pages of the reference: what there is, and one page a tag. */
import { type Html, html } from '../pages/html.ts'
import { errorRow, eventSection, operationSection } from './operation.ts'
import { type Event, nameOf, type Reference, type Schema, type Tag } from './reference.ts'
import { fieldsOf, prose, typeOf } from './schema-fields.ts'

export const referencePath = '/docs/reference'

export const tagPath = ({ slug }: Tag) => `${referencePath}/${slug}`

/** Every operation and every error at a glance. */
export function referenceIndex({ tags, schemas, errors }: Reference, apiUrl: string): Html {
  const error = schemas.get('Error')
  return html`<p>The API at <code>${apiUrl}</code> takes and returns JSON. The same procedures are a typed
tRPC API at <code>/trpc</code>. This reference is also there as an <a href="/openapi.json">OpenAPI
document</a>, for tools. <a href="/docs/api">Calling the API</a> covers authentication and what operations
have in common.</p>
${tags.map((tag) => listed(tag))}
<h2 id="errors">Errors</h2>
<p>Every error has the same body. <a href="/docs/errors">Errors</a> says how to handle them.</p>
${error && fieldsOf(error, false)}
<div class="wide" role="region" aria-label="All errors" tabindex="0"><table>
<thead><tr><th>Status</th><th>Reason</th><th>Message, for example</th></tr></thead>
<tbody>${[...errors].sort().map(([reason, { status }]) => errorRow(reason, status, errors))}</tbody>
</table></div>`
}

function listed(tag: Tag): Html {
  const place = tagPath(tag)
  return html`<h2><a href="${place}">${tag.name}</a></h2>
<p>${prose(tag.description)}</p>
<ul class="calls">${tag.operations.map(
    ({ operationId, method, path, summary }) =>
      html`<li><a href="${place}#${operationId}"><code><b>${method}</b> ${path}</code></a> ${summary}</li>\n`,
  )}</ul>
${
  tag.events.length > 0
    ? html`<p><a href="${place}#events">The ${tag.events.length} events</a></p>`
    : undefined
}
`
}

/** The operations of a tag, its events, and the objects that they name. */
export function tagPage(reference: Reference, tag: Tag, apiUrl: string): Html {
  const { description, operations, events } = tag
  const bodies = events.map((event) => bodyOf(event, reference.schemas))
  const schemas = namedBy(reference.schemas, [operations, bodies])
  return html`<p>${prose(description)}</p>
<ul class="calls">${operations.map(
    ({ operationId, method, path, summary }) =>
      html`<li><a href="#${operationId}"><code><b>${method}</b> ${path}</code></a> ${summary}</li>\n`,
  )}</ul>
${operations.map((each) => operationSection(each, apiUrl, reference.errors))}
${
  events.length > 0
    ? html`<h2 id="events">Events</h2>
<p>Each is the body of a <code>POST</code> to your endpoint:
<a href="/docs/webhooks">Webhooks</a> says how it is signed and repeated.</p>
${events.map((event) => eventSection(event, bodyOf(event, reference.schemas)))}`
    : undefined
}
<h2 id="objects">Objects</h2>
${schemas.map(([name, schema]) => objectSection(name, schema))}`
}

/** The schema of an event's body, which the document only names. */
function bodyOf({ requestBody }: Event, schemas: Reference['schemas']): Schema {
  const { schema } = requestBody.content['application/json']
  return schemas.get(nameOf(schema.$ref ?? '')) ?? schema
}

function objectSection(name: string, schema: Schema): Html {
  const fields = fieldsOf(schema, false)
  return html`<section id="${name}">
<h3>${name}</h3>
${schema.description === undefined ? undefined : html`<p>${prose(schema.description)}</p>`}
${fields ?? html`<p>${typeOf(schema)}</p>`}
</section>
`
}

/** The schemas to which a part of the document leads, directly or not, without that of errors. */
function namedBy(schemas: Reference['schemas'], part: unknown): [string, Schema][] {
  const found = new Map<string, Schema>()
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)) {
      const schema = schemas.get(nameOf(name))
      if (!schema || found.has(nameOf(name)) || nameOf(name) === 'Error') continue
      found.set(nameOf(name), schema)
      follow(schema)
    }
  }
  follow(part)
  return [...found]
}
