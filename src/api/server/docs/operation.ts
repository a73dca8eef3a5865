/** An operation, or an event, in the reference. */
import { type Html, html } from '../pages/html.ts'
import {
  type Event,
  type Operation,
  type Parameter,
  type Reference,
  reasonsOf,
  type Schema,
} from './reference.ts'
import { fieldOf, fieldsOf, prose, typeOf } from './schema-fields.ts'

const json = 'application/json'

/** The section of an operation, with a command for the API at `apiUrl`. */
export function operationSection(operation: Operation, apiUrl: string, errors: Reference['errors']): Html {
  const { operationId, method, path, summary, description, parameters, requestBody, responses } = operation
  const places = parameters.filter((each) => each.in !== 'path' || each.description !== undefined)
  const response = responses['200']
  const content = response?.content?.[json]
  return html`<section id="${operationId}">
<h2>${summary}</h2>
<p><code class="call"><b>${method}</b> ${path}</code></p>
${description === undefined ? undefined : html`<p>${prose(description)}</p>`}
${places.length > 0 ? parametersOf(places) : undefined}
${requestBody && bodyOf(requestBody)}
<h3>Example</h3>
${code(commandOf(operation, apiUrl))}
<h3>Response</h3>
<p>200: ${prose(response?.description ?? '')}${content && html`, ${typeOf(content.schema)}`}</p>
${content && fieldsOf(content.schema, false)}
${content?.example === undefined ? undefined : exampleOf(content.example, 'Example of a response')}
<details><summary>Errors</summary>
<div class="wide" role="region" aria-label="Errors" tabindex="0"><table>
<thead><tr><th>Status</th><th>Reason</th><th>Message, for example</th></tr></thead>
<tbody>${reasonsOf(operation).map(({ reason, status }) => errorRow(reason, status, errors))}</tbody>
</table></div></details>
</section>
`
}

function parametersOf(parameters: readonly Parameter[]): Html {
  return html`<h3>Parameters</h3>\n<ul class="fields">${parameters.map(parameterOf)}</ul>`
}

function exampleOf(example: unknown, title: string): Html {
  return html`<details><summary>${title}</summary>${code(pretty(example))}</details>`
}

/** A row of a table of errors. */
export function errorRow(reason: string, status: string, errors: Reference['errors']): Html {
  const message = errors.get(reason)?.message
  return html`<tr><td>${status}</td><td><code>${reason}</code></td><td>${message}</td></tr>\n`
}

/** The section of an event, whose fields are those of `schema`. */
export function eventSection({ operationId, type, summary, requestBody }: Event, schema: Schema): Html {
  const { example } = requestBody.content[json]
  return html`<section id="${operationId}" class="event">
<h3><code>${type}</code></h3>
<p>${summary}.</p>
<details><summary>Fields</summary>${fieldsOf(schema, false)}</details>
${exampleOf(example, 'Example')}
</section>
`
}

function bodyOf({ required, content }: NonNullable<Operation['requestBody']>): Html {
  const others = Object.keys(content).filter((name) => name !== json)
  return html`<h3>Body${required ? undefined : ' (may be left out)'}</h3>
${others.map((name) => html`<p>As JSON with these fields, or as <code>${name}</code>.</p>`)}
${fieldsOf(content[json].schema, true)}`
}

function parameterOf({ name, in: place, required, description, schema }: Parameter): Html {
  const where = { path: 'in the path', query: 'in the query', header: 'a header' }[place]
  const text = [description, `(${where})`].filter(Boolean).join(' ')
  return fieldOf({ name, schema: { ...schema, description: text }, required, sent: true })
}

/** Lines that a shell takes as one command. */
function commandOf({ method, path, parameters, requestBody }: Operation, apiUrl: string): string {
  const examples = new Map(parameters.map(({ name, schema }) => [name, schema.examples?.[0]]))
  const place = path.replaceAll(/\{(\w+)\}/g, (whole, name) => String(examples.get(name) ?? whole))
  const body = requestBody?.content[json].example
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${apiUrl}${place}`,
    '-H "Authorization: Bearer $SVC_TOKEN"',
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${pretty(body).replaceAll("'", "'\\''")}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** JSON over several lines. */
export const pretty = (value: unknown) => JSON.stringify(value, null, 2)

/** A block of code. */
export const code = (text: string) => html`<pre tabindex="0"><code>${text}</code></pre>`
