/** Holds answers against the OpenAPI document that the node itself serves. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import type { TestNode } from './node.ts'

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        responses: z.record(
          z.string(),
          z.object({
            content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })),
          }),
        ),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

type Check = (method: string, path: string, answer: { status: number; body: unknown }) => void

const checks = new WeakMap<TestNode, Promise<Check>>()

/** @throws when an operation gave an answer that the document doesn't tell of. Other paths aren't looked at. */
export async function checkAnswer(
  node: TestNode,
  method: string,
  path: string,
  answer: { status: number; body: unknown },
): Promise<void> {
  let check = checks.get(node)
  if (!check) {
    check = createCheck(node)
    checks.set(node, check)
  }
  ;(await check)(method, path, answer)
}

async function createCheck(node: TestNode): Promise<Check> {
  const response = await fetch(new URL('/openapi.json', node.apiUrl))
  const document = documentSchema.parse(await response.json())
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const operations = Object.entries(document.paths).map(([template, item]) => ({
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    item,
  }))
  return (method, path, { status, body }) => {
    const { pathname } = new URL(path, node.apiUrl)
    const operation = operations.find(({ pattern }) => pattern.test(pathname))?.item[method.toLowerCase()]
    if (!operation) return
    const schema = operation.responses[status]?.content['application/json']?.schema
    if (!schema) throw new Error(`${method} ${path} answered ${status}, of which the document doesn't tell.`)
    const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))
    if (!ajv.validate(local, body)) {
      throw new Error(
        `${method} ${path} answered ${JSON.stringify(body)}, which breaks the document: ${ajv.errorsText()}`,
      )
    }
  }
}
