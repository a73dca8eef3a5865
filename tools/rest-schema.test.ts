import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import { beforeAll, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../test/support/node.ts'

const file = new URL('../test/api/client/rest/schema.ts', import.meta.url)
const banner = `// Made by openapi-typescript from /openapi.json. After a change of the API:
// npm run schema
`

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

it('the types of the REST client match the document', async () => {
  const types = banner + astToString(await openapiTS(new URL('/openapi.json', node.apiUrl)))
  if (process.env.WRITE_SCHEMA) await writeFile(file, types)
  expect(await readFile(file, 'utf8')).toBe(types)
})
