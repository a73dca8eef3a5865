/** The rules that leave files out of a site. */
import { join } from 'node:path'
import type { Ignore } from 'ignore'
import { pathAmongPackages } from '../../lib/frameworks/prebuilt.ts'
import { isNeverDeployed } from '../../lib/names/never-deployed.ts'
import { toNfc } from '../../lib/names/nfc.ts'
import { projectFileName } from '../project-file/project-file.ts'
import { readDecidingFile } from '../read-file.ts'

/** In gitignore's syntax, relative to the site's directory. */
export const ignoreFile = '.svcignore'

const maxIgnoreBytes = 256 * 1024

/** Decides by a path relative to the site's directory, with slashes. */
export type SiteRules = {
  isLeftOut(path: string, name: string, isDirectory: boolean): boolean
}

/**
 * The rules of the site in the directory `root`; below its directory `complete` packages are deployed, too.
 * @throws Failure (2) for a `.svcignore` that is a link, no regular file, too large, or another user's.
 */
export async function readRules(root: string, complete: string | undefined): Promise<SiteRules> {
  const text = readDecidingFile(join(root, ignoreFile), maxIgnoreBytes)
  const rules = text === undefined ? undefined : await parse(text)
  return {
    isLeftOut(path, name, isDirectory) {
      if (path === projectFileName) return true
      const verdict = rules?.test(toNfc(isDirectory ? `${path}/` : path))
      if (verdict?.ignored || verdict?.unignored) return verdict.ignored
      if (complete !== undefined && name === 'node_modules' && path.startsWith(`${complete}/`)) return false
      return isNeverDeployed(name)
    },
  }
}

/** Sites tell case apart, and so do rules. The same name may be there in another form of Unicode. */
async function parse(text: string): Promise<Ignore> {
  const { default: ignore } = await import('ignore')
  return ignore({ ignorecase: false }).add(toNfc(text))
}

/** The `paths` that only a rule of `.svcignore` includes: their names are never deployed otherwise. */
export function includedByRule(paths: string[]): string[] {
  return paths.filter((path) => pathAmongPackages(path).split('/').some(isNeverDeployed))
}
