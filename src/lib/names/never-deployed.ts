/** Names that are never deployed, however they are spelled. */

/**
 * Repositories, dependencies, secrets and a node's data. Without regard to case, which some file systems have
 * none for; `u` folds as they do, so that the long s is an s.
 */
const neverMeant =
  /^(?:\.git|\.hg|\.svn|\.svc|\.svcignore|node_modules|\.env|\.env\..*|(?:eh)?thumbs\.db|desktop\.ini)$/iu

/** Their short names on Windows, of which a volume may have several for one long name. */
const shortNames = /^(?:git|hg|svn|svc|svcign|node_m|env|ds_sto)~\d+(?:\..*)?$/i

/**
 * Names that macOS adds to folders, disks of other systems and archives: an AppleDouble file, `._` and the
 * name of another one, has what a disk can't say of that, such as where it was downloaded from. The folders
 * are those of a disk: what was deleted there, and indexes of what is.
 */
const ofMacos = /^(?:\.DS_Store|\._.*|__MACOSX|\.AppleDouble|\.Trashes|\.fseventsd|\.Spotlight-V100)$/iu

/** Characters that HFS+ ignores when it compares names. */
const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** The stream of a file on NTFS (`.git::$INDEX_ALLOCATION`). */
const stream = /:.*$/s

/** Characters that Windows cuts from the end of a name. */
const cutOff = /[. ]+$/

/** Most names; the rest is not looked at for these. */
const ordinary = /^(?!node_modules|(?:eh)?thumbs|desktop|__macosx)[a-z0-9_-](?:[\w.-]*\w)?$/i

/**
 * Whether a file or folder of this name is never deployed; a line such as `!.env.example` in `.svcignore`
 * includes one.
 */
export function isNeverDeployed(name: string): boolean {
  if (ordinary.test(name)) return false
  const seen = name.replace(unseen, '').replace(stream, '').replace(cutOff, '')
  return neverMeant.test(seen) || ofMacos.test(seen) || shortNames.test(seen)
}

/** Whether the entry of an archive at this path is what macOS adds, of which nobody needs to hear. */
export function isAddedByMacos(path: string): boolean {
  const segments = path.split('/')
  return segments.includes('__MACOSX') || ofMacos.test(segments.at(-1) ?? '')
}

/** The command's own file, beside what it deploys. */
export const projectFile = 'svc.json'

/**
 * Files by which a node's data directory is known, whatever its name: they hold its key, and its database.
 */
export const dataFiles = ['encryption.key', 'PG_VERSION']
