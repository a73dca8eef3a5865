/** Decides which file of a deployment serves a path. */

import { toNfc } from '../../lib/names/nfc.ts'
import type { IsAssetPlace } from './asset-places.ts'
import type { Outcome, Redirects } from './rules/redirects.ts'
import type { Target } from './wire/target.ts'

export type Resolution =
  /** With `standsIn` it is another path's file, which a rewrite or `spa` serves at this one. */
  | { kind: 'file'; path: string; standsIn?: true }
  | { kind: 'redirect'; path: string }
  /** Redirected, or passed on to another host, by a rule of the site. */
  | Extract<Outcome, { kind: 'leave' | 'pass' }>
  /** Passed on to the deployment's own server. */
  | { kind: 'server' }
  /** Not found; `page` is the deployment's own 404 page. */
  | { kind: 'missing'; page: string | undefined }

type Has = (path: string) => boolean

/** The site's own rules, if any, and where it has what pages load. */
type Site = { redirects?: Redirects; isAssetPlace?: IsAssetPlace }

/**
 * Resolves a target among the files that `has` knows, whose paths are in NFC. An exact path always wins,
 * except over forced rules. Each page has one URL: `about.html` is served at `about`, `about/index.html` at
 * `about/`, and other spellings redirect there. Then come the site's rules, and with `spa`, `index.html`
 * serves all other pages, but not missing assets, nor what is missing where a framework's assets are.
 */
export function resolvePath(
  { path, escaped = path }: Omit<Target, 'query'>,
  has: Has,
  spa: boolean,
  { redirects, isAssetPlace }: Site = {},
): Resolution {
  const forced = redirects?.findForced(escaped)
  if (forced) return followRule(forced, has)
  const found = findFile(path, has)
  if (found) return found
  const outcome = redirects?.find(escaped)
  if (outcome) return followRule(outcome, has)
  if (!spa || isAsset(path) || isAssetPlace?.(path) || !has('index.html')) return missing(has)
  return { kind: 'file', path: 'index.html', standsIn: true }
}

function missing(has: Has): Resolution {
  return { kind: 'missing', page: has('404.html') ? '404.html' : undefined }
}

function hasEmptySegment(path: string): boolean {
  return path.startsWith('/') || path.includes('//')
}

function findFile(path: string, has: Has): FileResolution | undefined {
  if (has(path)) return { kind: 'file', path }
  if (hasEmptySegment(path)) return undefined
  const normal = toNfc(path)
  if (normal !== path && has(normal)) return { kind: 'file', path: normal }
  return resolvePage(normal, has)
}

/**
 * The resolution by a rule: a rewrite serves a page in any spelling, and rules don't apply again. `otherwise`
 * answers where a rewrite leads to no file.
 */
export function followRule(outcome: Outcome, has: Has, otherwise?: Resolution): Resolution {
  if (outcome.kind === 'leave' || outcome.kind === 'pass') return outcome
  if (outcome.kind === 'nothing') return missing(has)
  const first = findFile(outcome.path, has)
  const found = first?.kind === 'redirect' ? findFile(first.path, has) : first
  if (outcome.status === 404) return found ? { kind: 'missing', page: found.path } : missing(has)
  if (!found) return otherwise ?? missing(has)
  return { kind: 'file', path: found.path, standsIn: true }
}

type FileResolution = Extract<Resolution, { kind: 'file' | 'redirect' }>

const indexPage: FileResolution = { kind: 'file', path: 'index.html' }

function resolvePage(path: string, has: Has): FileResolution | undefined {
  if (path === '') return has('index.html') ? indexPage : undefined
  const name = path.endsWith('/') ? path.slice(0, -1) : path
  const page = `${name}.html`
  const index = `${name}/index.html`
  if (path === name) {
    if (has(page)) return { kind: 'file', path: page }
    return has(index) ? { kind: 'redirect', path: `${name}/` } : undefined
  }
  if (has(index)) return { kind: 'file', path: index }
  return has(page) ? { kind: 'redirect', path: name } : undefined
}

/**
 * Files that pages load: scripts, styles, data, images, fonts and media. Names of pages may end in anything
 * else.
 */
const assets = new Set(
  [
    'js mjs cjs css map json wasm webmanifest',
    'png jpg jpeg jfif gif webp avif apng svg svgz ico bmp',
    'woff woff2 ttf otf eot',
    'mp3 mp4 m4a m4v webm ogg oga ogv opus wav flac aac mov vtt',
  ].flatMap((names) => names.split(' ')),
)

/** Crawlers ask for them, and take HTML for their content. */
const forCrawlers = new Set(['robots.txt', 'sitemap.xml'])

/** Missing scripts and images must not be answered with HTML. */
function isAsset(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return (dot > 0 && assets.has(name.slice(dot + 1).toLowerCase())) || forCrawlers.has(path)
}
