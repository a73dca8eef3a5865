/**
 * Replaces modules by their data, so that the command and the client load no schemas and no procedures: in
 * the directory that is named, or else in `dist`. A module that isn't there is left out.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const directory = resolve(process.argv[2] ?? 'dist')

/** Each with the module that derives its exports, and their names there. */
const modules = [
  {
    file: 'platform/projects/field-facts.js',
    source: 'platform/projects/describe-fields.js',
    exports: {
      fieldFacts: 'describedFields',
      buildFacts: 'describedBuild',
      defaultBuild: 'initialBuild',
      runtimeFacts: 'describedRuntime',
      defaultRuntime: 'initialRuntime',
      repositoryFacts: 'describedRepository',
    },
  },
  {
    file: 'api/client/repeatable-mutations.js',
    source: 'api/routers/repeatable-mutations.js',
    exports: { repeatableMutations: 'derivedMutations' },
  },
]

for (const { file, source, exports } of modules) {
  if (!existsSync(resolve(directory, file))) continue
  const derived = await import(pathToFileURL(resolve(directory, source)))
  const lines = Object.entries(exports).map(
    ([name, of]) => `export const ${name} = ${JSON.stringify(derived[of])}\n`,
  )
  writeFileSync(resolve(directory, file), lines.join(''))
}
