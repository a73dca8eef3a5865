/** Signs that files are the sources of something, though of no framework that is known. */
import type { Found } from './found.ts'

/** The first page of a site. */
export const firstPage = 'index.html'

/** The names of files that sources have and sites don't: of the first one that is there people hear. */
const signs = [
  /^package\.(json5?|yaml)$/i,
  /^deno\.jsonc?$/,
  /^(composer|bower|elm)\.json$/,
  /^(pyproject\.toml|requirements\.txt|Pipfile|setup\.py|manage\.py|conf\.py|wsgi\.py)$/,
  /^(go\.mod|Cargo\.toml|Gemfile|mix\.exs|pubspec\.yaml|pom\.xml|build\.gradle(\.kts)?)$/,
  /^(Dockerfile|Containerfile|Makefile|CMakeLists\.txt)$/,
  /^index\.php$/,
  /\.(csproj|fsproj|sln)$/,
]

/** Whether a name is any of them: a folder may have many names. */
const anySign = new RegExp(signs.map(({ source }) => source).join('|'), 'i')

/** As many folders at the root are looked into. */
const maxFolders = 100

/**
 * The path of a file that says that these are sources, at the root or in a folder of it; undefined where
 * there is none, and where the root, or that folder, has a first page.
 */
export function findSign({ namesIn }: Found): string | undefined {
  const names = namesIn('')
  if (names.has(firstPage)) return undefined
  const own = signIn(names)
  if (own !== undefined) return own
  if (names.has('config.toml') && names.has('content')) return 'config.toml'
  let folders = 0
  for (const folder of names) {
    const inside = isOwn(folder) ? namesIn(folder) : undefined
    if (!inside?.size) continue
    folders += 1
    if (folders > maxFolders) return undefined
    const sign = inside.has(firstPage) ? undefined : signIn(inside)
    if (sign !== undefined) return `${folder}/${sign}`
  }
  return undefined
}

function isOwn(folder: string): boolean {
  return !folder.startsWith('.') && folder !== 'node_modules'
}

function signIn(names: ReadonlySet<string>): string | undefined {
  let best = signs.length
  let found: string | undefined
  for (const name of names) {
    const rank = anySign.test(name) ? signs.findIndex((sign) => sign.test(name)) : best
    if (rank >= best) continue
    best = rank
    found = name
  }
  return found
}
