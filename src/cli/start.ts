#!/usr/bin/env node
/** Starts `svc`, whose program is compiled when it is built, and not at every start. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/** A function of what Node gives to each module; see build.mjs. */
const file = fileURLToPath(new URL('./svc-program.js', import.meta.url))
const compiled = `svc-program.${process.version}-${process.arch}.bin`

const script = new Script(readFileSync(file, 'utf8'), {
  // What was compiled has this name in it, wherever it is now.
  filename: 'svc-program',
  cachedData: readCompiled(),
})
script.runInThisContext()(createRequire(file), (name: string) => import(name), file)

/** What the build compiled; undefined for another version of Node. V8 refuses by itself what doesn't fit it. */
function readCompiled(): Buffer | undefined {
  try {
    return readFileSync(new URL(compiled, import.meta.url))
  } catch {
    return undefined
  }
}
