/** A site whose files come compressed, such as a game of Unity, runs in Chromium. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploy } from '../../../test/platform/deployments/steps.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newTeam } from '../../../test/support/team.ts'
import { closeChromium, newVisitor } from './chromium.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge' })
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

/** A module that exports `add(a, b)` (WebAssembly 1.0, section 5). */
const wasm = Buffer.from(
  '0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b',
  'hex',
)
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"><rect width="10" height="20"/></svg>'

/** As Unity's template: a loader starts a script, which fetches a module and data. */
const loader = (ending: string) => `
  const framework = document.createElement('script')
  framework.src = 'Build/game.framework.js${ending}'
  framework.onerror = () => { document.title = 'The framework failed.' }
  document.head.append(framework)
`
const framework = (ending: string) => `
  const module = WebAssembly.instantiateStreaming(fetch('Build/game.wasm${ending}'))
  const data = fetch('Build/game.data${ending}').then((response) => response.text())
  const picture = new Promise((resolve) => {
    const image = new Image()
    image.onload = () => resolve(image.naturalHeight)
    image.onerror = () => resolve('broken')
    image.src = 'logo.svgz'
  })
  Promise.all([module, data, picture]).then(
    ([{ instance }, text, height]) => {
      document.title = [instance.exports.add(20, 22), text, height].join(' ')
    },
    (error) => { document.title = String(error) },
  )
`

describe.each([
  ['.br', 'br', brotliCompressSync],
  ['.gz', 'gzip', gzipSync],
] as const)('with files in %s', (ending, coding, compress) => {
  const file = (path: string, content: Buffer | string) => ({
    path,
    content_base64: Buffer.from(content).toString('base64'),
  })

  it('runs', async () => {
    const { url, warnings } = await deploy(await newTeam(node), {
      files: [
        file(
          'index.html',
          '<!doctype html><title>starting</title><script src="Build/game.loader.js"></script>',
        ),
        file('Build/game.loader.js', loader(ending)),
        file(`Build/game.framework.js${ending}`, compress(framework(ending))),
        file(`Build/game.wasm${ending}`, compress(wasm)),
        file(`Build/game.data${ending}`, compress('of data')),
        file('logo.svgz', gzipSync(svg)),
        file(
          '_headers',
          [
            `/Build/*${ending}\n  Content-Encoding: ${coding}`,
            `/Build/*.wasm${ending}\n  Content-Type: application/wasm`,
            `/Build/*.js${ending}\n  Content-Type: text/javascript`,
          ].join('\n'),
        ),
      ],
    })
    expect(warnings).toEqual([])
    const { page } = await newVisitor(node)
    await page.goto(url)
    await expect.poll(() => page.title(), { timeout: 10_000 }).toBe('42 of data 20')
  })
})
