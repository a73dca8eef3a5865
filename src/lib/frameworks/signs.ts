/** Signs that files are the sources of something, though of no framework that is known. */
import type { Found } from './found.ts'

/** The first page of a site. */
export const firstPage = 'index.html'

/** The names of files that sources have and sites don't. */
const signs = [
  /^package\.(json5?|yaml)$/i,
  /^deno\.jsonc?$/,
  /^(composer|bower)\.json$/,
  /^(pyproject\.toml|requirements\.txt|Pipfile|setup\.py|manage\.py|conf\.py|wsgi\.py)$/,
  /^(go\.mod|Cargo\.toml|Gemfile|mix\.exs|pubspec\.yaml|pom\.xml|build\.gradle(\.kts)?)$/,
  /^(Dockerfile|Containerfile|Makefile|CMakeLists\.txt)$/,
  /^index\.php$/,
  /\.(csproj|fsproj|sln)$/,
]

/** As many folders at the root are looked into. */
const maxFolders = 100

/**
 * The path of a file that says that these are sources, at the root or in a folder of it; undefined where
 * there is none, and where the root, or that folder, has a first page.
 */
export function findSign({ namesIn }: Found): string | undefined {
  const names = namesIn('')
  if (names.includes(firstPage)) return undefined
  const own = signIn(names)
  if (own !== undefined) return own
  if (names.includes('config.toml') && names.includes('content')) return 'config.toml'
  for (const folder of names.filter((name) => !/^(\.|node_modules$)/.test(name)).slice(0, maxFolders)) {
    const inside = namesIn(folder)
    const sign = inside.includes(firstPage) ? undefined : signIn(inside)
    if (sign !== undefined) return `${folder}/${sign}`
  }
  return undefined
}

function signIn(names: readonly string[]): string | undefined {
  for (const sign of signs) {
    const name = names.find((each) => sign.test(each))
    if (name !== undefined) return name
  }
  return undefined
}
