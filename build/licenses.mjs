/** The licenses of packages that a bundle is made of. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Name, version and license of each package that one of these files is from; `files` are paths.
 * @throws where one has none.
 */
export function licensesOf(files) {
  const packages = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [])
  return [...new Set(packages)].sort().map(licenseIn).join('\n\n')
}

function licenseIn(directory) {
  const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const file = readdirSync(directory).find((each) => /^licen[cs]e/i.test(each))
  if (!file) throw new Error(`${name} has no license file.`)
  return `${name} ${version}\n\n${readFileSync(join(directory, file), 'utf8').trimEnd()}\n`
}
