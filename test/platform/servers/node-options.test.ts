import { expect, it } from 'vitest'
import { nodeOptions } from '../../../src/platform/servers/node-options.ts'

const mebibyte = 1024 * 1024
const own = '--require="/x y.cjs" --max-old-space-size=300'

it.each([
  [undefined, own],
  ['', own],
  ['--no-warnings  --require "./a b.js"', `${own} --no-warnings --require "./a b.js"`],
  ['--inspect --inspect-brk=0.0.0.0:1 --inspect-wait --no-warnings', `${own} --no-warnings`],
  ['--inspect-port 9000 --debug-port=1 --inspect-publish-uid=http --no-warnings', `${own} --no-warnings`],
  ['--inspect_brk=0.0.0.0:1 --inspect_port 9000 --inspect_wait --no-warnings', `${own} --no-warnings`],
  ['--max-old-space-size=100', `${own} --max-old-space-size=100`],
  ['--title="a \\" --inspect"', `${own} --title="a \\" --inspect"`],
])('the options of a server, whose project has %j, are its module, its heap and these', (given, options) => {
  expect(nodeOptions('/x y.cjs', 500 * mebibyte, given)).toBe(options)
})
