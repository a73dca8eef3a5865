/** Reads where a repository was cloned from. */
import type { Repository } from './find-repository.ts'
import { readGitFile } from './read-git-file.ts'

/** More than a configuration with thousands of branches has. */
const maxConfigBytes = 1024 * 1024

const section = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/
const setting = /^\s*url\s*=\s*(.*)$/i

/**
 * The URL of the remote `origin` as the repository's own configuration has it (git-config(1), without
 * includes); undefined if there is none.
 * @throws Failure for a file that is a link, no regular one, or too large.
 */
export function readRemote({ common }: Repository): string | undefined {
  let isOrigin = false
  for (const line of readGitFile(common, 'config', maxConfigBytes)?.split(/\r?\n/) ?? []) {
    const [isSection, name = '', subsection, rest = ''] = section.exec(line) ?? []
    if (isSection !== undefined) isOrigin = name.toLowerCase() === 'remote' && subsection === 'origin'
    const [, value] = (isOrigin && setting.exec(isSection === undefined ? line : rest)) || []
    if (value !== undefined) return unquoted(value)
  }
  return undefined
}

/** Without quotes, escapes, and a comment outside of quotes. */
function unquoted(value: string): string {
  let isQuoted = false
  let text = ''
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\') {
      at += 1
      text += value.charAt(at)
    } else if (!isQuoted && /[#;]/.test(character)) break
    else text += character
  }
  return text.trim()
}
