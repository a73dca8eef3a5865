/** The files of the load's sites. Each names the version that it belongs to, and can be checked by itself. */
import { createHash } from 'node:crypto'

export type SiteFile = { path: string; bytes: Buffer; sha256: string }

const pageBytes = 2_000

/** The pages that a version has; all are read. */
const paths = ['index.html', 'about.html']

/**
 * The files of a version such as `a-one@17`: two pages, and one that is the same in every version of every
 * team.
 */
export function filesOf(version: string): SiteFile[] {
  const pages = paths.map((path) => toFile(path, pageOf(version, path)))
  return [...pages, toFile('shared.css', 'body { color: #123456 }\n'.repeat(20))]
}

/** The addresses of the pages. */
export const pagePaths = ['/', '/about']

/**
 * The version that a page names; with a question mark in front where the bytes are not a page of the load's.
 */
export function versionIn(text: string): string {
  const [, version = '', path = '', digest] = /^<!-- (\S+) (\S+) (\w+) -->\n/.exec(text) ?? []
  return digest === undefined || pageOf(version, path) !== text ? `?${text.slice(0, 40)}` : version
}

function pageOf(version: string, path: string): string {
  const seed = sha256(`${version} ${path}`)
  const rest = `<title>${version}</title>\n${seed.repeat(Math.ceil(pageBytes / seed.length))}\n`
  return `<!-- ${version} ${path} ${sha256(rest)} -->\n${rest}`
}

function toFile(path: string, text: string): SiteFile {
  return { path, bytes: Buffer.from(text), sha256: sha256(text) }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
