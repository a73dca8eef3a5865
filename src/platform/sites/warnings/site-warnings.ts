/** Warnings of files of a site that look wrong. */
import { platformDirectory } from '../../../lib/names/platform-directory.ts'
import type { Pattern, Rules } from '../rules/rules.ts'
import type { Warning } from './warning.ts'

/** Files by which other platforms are configured, which have no effect here. */
const configurations = new Map([
  ['vercel.json', 'Vercel'],
  ['now.json', 'Vercel'],
  ['netlify.toml', 'Netlify'],
  ['wrangler.toml', 'Cloudflare'],
  ['wrangler.json', 'Cloudflare'],
  ['wrangler.jsonc', 'Cloudflare'],
  ['_worker.js', 'Cloudflare'],
  ['_routes.json', 'Cloudflare'],
  ['firebase.json', 'Firebase'],
  ['staticwebapp.config.json', 'Azure'],
  ['amplify.yml', 'AWS Amplify'],
  ['static.json', 'Heroku'],
  ['.htaccess', 'Apache'],
  ['web.config', 'IIS'],
])

const ruleFile = /\/(_redirects|_headers)$/

/** The warnings about the files at these paths, which are served with `rules`. */
export function siteWarnings(paths: ReadonlySet<string>, rules: Rules | null): Warning[] {
  const warnings: Warning[] = []
  if (!paths.has('index.html') && !rules?.redirects.some(({ from }) => isForRoot(from)))
    warnings.push(withoutIndex(paths))
  for (const path of paths) {
    const name = ruleFile.exec(path)?.[1]
    if (name !== undefined) {
      warnings.push({
        path,
        message: `has no effect here, and is served as a file: ${name} belongs at the root`,
      })
    }
    if (path.startsWith(`${platformDirectory}/`))
      warnings.push({ path, message: `is never served: /${platformDirectory}/ is no site's on any host` })
    const platform = configurations.get(path)
    if (platform !== undefined) {
      const way = 'write redirects to _redirects and headers to _headers'
      warnings.push({ path, message: `has no effect: it is for ${platform}; ${way}` })
    }
  }
  return warnings
}

function withoutIndex(paths: ReadonlySet<string>): Warning {
  const nested = [...paths].find((path) => /^[^/]+\/index\.html$/.test(path))
  const message = 'The site has no index.html, so that its first page is 404'
  return {
    message: nested === undefined ? message : `${message}; ${nested} is there: deploy its directory`,
  }
}

/** Whether a rule is for the first page: of `/`, or of everything. */
function isForRoot(from: Pattern): boolean {
  const [first] = from
  return first === undefined || (typeof first === 'object' && first.name === 'splat' && from.length === 1)
}
