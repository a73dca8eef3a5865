/** The typed client, compiled with the TypeScript version that most programs still use. */
import { resolve } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import {
  compile,
  linesOf,
  newConsumer,
  resolutions,
  right,
  wrong,
  wrongLines,
} from '../test/api/client/consumer.ts'
import { sharedNode } from '../test/support/node.ts'

const compiler = resolve('tools/node_modules/typescript/bin/tsc')

let directory: string

beforeAll(async () => {
  directory = await newConsumer(await sharedNode())
})

it.each(resolutions)('compiles with its types, resolved as %s does', async (resolution, module) => {
  const options = ['--moduleResolution', resolution, '--module', module]
  expect(await compile(directory, compiler, { name: `${resolution}.ts`, text: right, options })).toEqual([])
})

it('does not compile when an input or an output is used wrongly', async () => {
  expect(linesOf(await compile(directory, compiler, { name: 'wrong.ts', text: wrong }))).toEqual(wrongLines)
})
