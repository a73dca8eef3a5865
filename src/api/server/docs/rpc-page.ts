/** The reference of the procedures that are there by RPC alone. */
import { z } from 'zod'
import { type Html, html } from '../pages/html.ts'
import { code, pretty } from './operation.ts'
import { nameOf, type Schema, schemaSchema } from './reference.ts'
import { referencePath } from './reference-pages.ts'
import { fieldsOf, prose, typeOf } from './schema-fields.ts'

/** Its path. */
export const rpcPath = `${referencePath}/rpc`

const refSchema = z.object({ $ref: z.string() })

const procedureSchema = z.object({
  name: z.string(),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  role: z.enum(['owner', 'member']),
  idempotency_key: z.boolean(),
  input: refSchema,
  output: refSchema,
  example: z.object({ input: z.unknown(), output: z.unknown() }),
  reasons: z.record(z.string(), z.array(z.string())),
})

type RpcProcedure = z.infer<typeof procedureSchema>

const documentSchema = z.object({
  procedures: z.array(procedureSchema),
  $defs: z.record(z.string(), schemaSchema),
})

/**
 * All that the document of RPC has on one page, for the API at `apiUrl`.
 * @throws ZodError where it has what no page would show.
 */
export function rpcPage(document: unknown, apiUrl: string): Html {
  const { procedures, $defs } = documentSchema.parse(document)
  const schemas = new Map(Object.entries($defs))
  const own = new Set(procedures.flatMap(({ input, output }) => [nameOf(input.$ref), nameOf(output.$ref)]))
  const others = [...schemas].filter(([name]) => !own.has(name))
  return html`<p>What has no operation of REST, and other programs may rely on: <a href="/docs/rpc">Calling by
RPC</a> shows how. The same is there for tools, as <a href="/rpc.json">rpc.json</a>.</p>
<ul class="calls">${procedures.map(
    ({ name, method, path, summary }) =>
      html`<li><a href="#${name}"><code><b>${method}</b> ${path}</code></a> ${summary}</li>\n`,
  )}</ul>
${procedures.map((each) => sectionOf(each, schemas, apiUrl))}
<h2 id="objects">Objects</h2>
${others.map(
  ([name, schema]) => html`<section id="${name}">
<h3>${name}</h3>
${fieldsOf(schema, false) ?? html`<p>${typeOf(schema)}</p>`}
</section>
`,
)}`
}

function sectionOf(procedure: RpcProcedure, schemas: Map<string, Schema>, apiUrl: string): Html {
  const { name, method, path, summary, description, role, input, output, example, reasons } = procedure
  const [sent, received] = [schemas.get(nameOf(input.$ref)), schemas.get(nameOf(output.$ref))]
  const keyed = procedure.idempotency_key ? html` Takes an <code>Idempotency-Key</code>.` : undefined
  return html`<section id="${name}">
<h2>${summary}</h2>
<p><code class="call"><b>${method}</b> ${path}</code></p>
<p>${description === undefined ? undefined : html`${prose(description)} `}For ${
    role === 'owner' ? 'owners' : 'members'
  }.${keyed}</p>
${sent && fieldsOf(sent, true)}
<h3>Example</h3>
${code(commandOf(procedure, apiUrl))}
<h3>Output</h3>
${received && fieldsOf(received, false)}
<details><summary>Example of an output</summary>${code(pretty(example.output))}</details>
<details><summary>Errors</summary>
<ul>${Object.entries(reasons).map(
    ([status, names]) => html`<li>${status}: ${names.map((reason) => html`<code>${reason}</code> `)}</li>\n`,
  )}</ul></details>
</section>
`
}

function commandOf({ method, path, example }: RpcProcedure, apiUrl: string): string {
  const input = JSON.stringify(example.input).replaceAll("'", "'\\''")
  const lines =
    method === 'GET'
      ? [`curl -G ${apiUrl}${path}`, `--data-urlencode 'input=${input}'`]
      : [`curl ${apiUrl}${path}`, '-H "Content-Type: application/json"', `-d '${input}'`]
  const [first = '', ...rest] = lines
  return [first, '-H "Authorization: Bearer $SVC_TOKEN"', ...rest].join(' \\\n  ')
}
