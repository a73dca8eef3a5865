/** Decides which file of a deployment answers a path. */
import { knownType } from './media-type.ts'

export type Resolution =
  | { kind: 'file'; path: string }
  | { kind: 'redirect'; path: string }
  /** Not found; `page` is the deployment's own page that says so. */
  | { kind: 'missing'; page: '404.html' | undefined }

/**
 * Resolves a decoded `path` (without its leading slash) among the files that `has` knows, whose paths are in
 * NFC. An exact path always wins. A page has one address: `about.html` answers at `about`, `about/index.html`
 * at `about/`, and the other spelling leads there. With `spa`, `index.html` answers every other page, but not
 * a missing asset.
 */
export function resolvePath(path: string, has: (path: string) => boolean, spa: boolean): Resolution {
  if (has(path)) return { kind: 'file', path }
  const missing: Resolution = { kind: 'missing', page: has('404.html') ? '404.html' : undefined }
  if (path.startsWith('/') || path.includes('//')) return missing
  const normal = path.normalize('NFC')
  if (normal !== path && has(normal)) return { kind: 'file', path: normal }
  return resolvePage(normal, has) ?? (spa && has('index.html') && !isAsset(path) ? indexPage : missing)
}

const indexPage: Resolution = { kind: 'file', path: 'index.html' }

function resolvePage(path: string, has: (path: string) => boolean): Resolution | undefined {
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

/** A page's script or picture that isn't there must not be answered with HTML. */
function isAsset(path: string): boolean {
  const type = knownType(path)
  return type !== undefined && type !== 'text/html'
}
