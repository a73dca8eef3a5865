/** Warnings of rules of a site that look wrong beside its files. */
import { quote } from '../rules/lines.ts'
import type { NumberedRules } from '../rules/numbered-rules.ts'
import type { HeaderRule, Part, Pattern, Redirect } from '../rules/rules.ts'
import type { Warning } from './warning.ts'

/** The warnings about rules that can have no effect, or the wrong one, in a site of these `paths`. */
export function ruleWarnings({ redirects, headers }: NumberedRules, paths: ReadonlySet<string>): Warning[] {
  const at = (path: string) => (warning: { line: number; message: string }) => ({ path, ...warning })
  return [
    ...[...duplicates(redirects), ...deadRewrites(redirects, paths)]
      .sort((a, b) => a.line - b.line)
      .map(at('_redirects')),
    ...wrongCodings(headers, paths).map(at('_headers')),
  ]
}

type Lines = { line: number; message: string }[]

/** The first rule for a path decides; a later one counts only if it alone is forced. */
function duplicates(redirects: NumberedRules['redirects']): Lines {
  const first = new Map<string, { line: number; forced: boolean }>()
  return redirects.flatMap(({ line, rule: { from, forced } }) => {
    const key = JSON.stringify(from)
    const before = first.get(key)
    if (!before) {
      first.set(key, { line, forced })
      return []
    }
    if (forced && !before.forced) return []
    return { line, message: `never applies: line ${before.line} is for the same path` }
  })
}

/** Rewrites whose file doesn't exist serve nothing. */
function deadRewrites(redirects: NumberedRules['redirects'], paths: ReadonlySet<string>): Lines {
  return redirects.flatMap(({ line, rule: { status, to } }) => {
    const path = textOf(to.path)
    if (!isRewrite(status) || path === undefined || pagesOf(path).some((page) => paths.has(page))) return []
    return { line, message: `${quote(`/${path}`)} is no file of the site, so that visitors get 404` }
  })
}

function isRewrite(status: Redirect['status']): boolean {
  return status === 200 || status === 404
}

/** The files that the edge serves at a path, in any spelling of it. */
function pagesOf(path: string): string[] {
  const name = path.replace(/\/$/, '')
  return [path, name === '' ? 'index.html' : `${name}/index.html`, `${name}.html`]
}

/** How many of them are named in a warning. */
const maxNamed = 3

/** Files that are said to be compressed, though their names don't say so. */
function wrongCodings(headers: NumberedRules['headers'], paths: ReadonlySet<string>): Lines {
  return headers.flatMap(({ line, rule }) => {
    const coding = codingOf(rule)
    if (coding === undefined || !isWhole(rule.at)) return []
    const pages = [...paths].filter((path) => path.endsWith('.html') && isBelow(path, rule.at))
    if (pages.length === 0) return []
    const named = pages.slice(0, maxNamed).map(quote).join(', ')
    return {
      line,
      message: `browsers will decode ${named} by ${coding}: give compressed files a path of their own`,
    }
  })
}

function codingOf({ changes }: HeaderRule): string | undefined {
  const change = changes.find(({ name }) => name.toLowerCase() === 'content-encoding')
  return change?.value ? textOf(change.value) : undefined
}

/** Whether a pattern is for everything at and below a directory: `/*`, `/Build/*`. */
function isWhole(at: Pattern): boolean {
  const last = at.at(-1)
  return typeof last === 'object' && last.name === 'splat'
}

function isBelow(path: string, at: Pattern): boolean {
  const directory = textOf(at.slice(0, -1))
  return directory !== undefined && path.startsWith(directory)
}

/** The text of parts without placeholders. */
function textOf(parts: readonly Part[]): string | undefined {
  const texts = parts.filter((part) => typeof part === 'string')
  return texts.length === parts.length ? texts.join('') : undefined
}
