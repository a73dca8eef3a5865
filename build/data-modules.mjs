/**
 * Replaces modules by their data, so that the command and the client load no schemas and no procedures: in
 * the directory that is named, or else in `dist`. A module that isn't there is left out.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const directory = resolve(process.argv[2] ?? 'dist')

/** Each with its export, and the module and export that derive it. */
const modules = [
  [
    'platform/projects/field-facts.js',
    'fieldFacts',
    'platform/projects/describe-fields.js',
    'describedFields',
  ],
  [
    'api/client/repeatable-mutations.js',
    'repeatableMutations',
    'api/routers/repeatable-mutations.js',
    'derivedMutations',
  ],
]

for (const [file, name, source, derived] of modules) {
  if (!existsSync(resolve(directory, file))) continue
  const { [derived]: data } = await import(pathToFileURL(resolve(directory, source)))
  writeFileSync(resolve(directory, file), `export const ${name} = ${JSON.stringify(data)}\n`)
}
