import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { compile } from '../../stores/data-dir/compiled.ts'

const stdio = ['ignore', 'pipe', 'inherit'] as const

it('has the process it started before any of its events, also beside inherited descriptors', async () => {
  const compiled = await compile('platform/sandbox/inherited.ts')
  const program = join(compiled, 'inherits.js')
  await writeFile(
    program,
    `import { withoutInherited } from './dist/platform/sandbox/inherited.js'
     let events = 0
     const replaced = await withoutInherited(['ignore', 'pipe'], (stdio) => {
       setImmediate(() => { events += 1 })
       return stdio.slice(2).filter((each) => each !== 'ignore').length
     })
     console.log(JSON.stringify({ events, replaced: replaced > 0 }))`,
  )
  const inherited = await open(compiled)
  const child = spawn(process.execPath, [program], {
    // Node closes on exec what it inherits, up to the first gap above descriptor 15: this one lies beyond.
    stdio: [...Array.from({ length: 40 }, (_, fd) => stdio[fd] ?? 'ignore'), inherited.fd],
  })
  const [output] = await Promise.all([text(child.stdout ?? expect.fail()), once(child, 'exit')])
  await inherited.close()
  expect(JSON.parse(output)).toEqual({ events: 0, replaced: true })
})
