/** Servers whose native modules were built for another system. */
import { expect, it } from 'vitest'
import { createForeignModule } from '../../../src/platform/builds/foreign-module.ts'

const here = { platform: 'linux-x64-glibc', node: '24.11.0' }

function sentenceFor(...lines: string[]): string | undefined {
  const foreign = createForeignModule()
  for (const line of lines) foreign.look(line)
  return foreign.sentence(here)
}

it.each([
  ['of another kind of file', 'Error: /app/node_modules/a/build/Release/a.node: invalid ELF header'],
  ['of a newer C library', "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by a)"],
  ['of musl', 'Error: libc.musl-x86_64.so.1: cannot open shared object file: No such file or directory'],
  ['of another Node', 'was compiled against a different Node.js version using'],
  ['of sharp', 'Error: Could not load the "sharp" module using the linux-x64 runtime'],
  ['of a package for each system', "Error: Cannot find module '@node-rs/argon2-linux-x64-gnu'"],
])('a module %s is named, with the system that is needed', (_what, line) => {
  expect(sentenceFor('Starting…', line, '    at Module.load')).toMatch(/linux-x64-glibc, Node\.js 24\.11\.0/)
})

it('other failures are not taken for it', () => {
  expect(sentenceFor("Error: Cannot find module 'express'", 'TypeError: a is not a function')).toBeUndefined()
})
