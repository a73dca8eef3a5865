/** Programs of one file, which the build made of many, with what V8 compiled of it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/**
 * Runs `<name>.js` in `directory`: a function of what Node gives to each module, see build/bundle.mjs.
 * Another version of Node than the one that built it compiles it anew.
 * @throws when there is no such file.
 */
export function runProgram(name: string, directory: URL): void {
  const file = fileURLToPath(new URL(`${name}.js`, directory))
  const script = new Script(readFileSync(file, 'utf8'), {
    // The compiled code was cached under this file name, wherever it is now.
    filename: name,
    cachedData: readCompiled(new URL(`${name}.${process.version}-${process.arch}.bin`, directory)),
  })
  script.runInThisContext()(createRequire(file), (specifier: string) => import(specifier), file)
}

/**
 * The build's code cache; undefined for another version of Node. V8 itself rejects a cache that doesn't fit
 * it.
 */
function readCompiled(file: URL): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
