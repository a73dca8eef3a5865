/** Tells the lines of a build's output apart, by their text alone. */
import type { LineLevel } from '../../deployments/log/log-writer.ts'
import { alternatives } from './any-of.ts'
import { isCause } from './causes.ts'
import { isChatter, isFrame, isSummary, isWarning } from './harmless.ts'
import { isHeading } from './headings.ts'
import type { LineKind } from './kinds.ts'
import { isNpmChatter, isNpmCode, npmText, npmUsage } from './npm.ts'
import { yarnKind } from './yarn.ts'

/** The level of a line in the log. */
export function levelOf(kind: LineKind): LineLevel {
  if (kind === 'warning') return 'warn'
  return kind === 'cause' || kind === 'heading' || kind === 'detail' || kind === 'summary' ? 'error' : 'info'
}

/**
 * Returns the kinds of a stream's lines, one after another, in time that is linear in their length. They are
 * without escape sequences.
 */
export function kindsOfStream(): (line: string) => LineKind {
  const isUsage = npmUsage()
  return (line) => {
    const npm = npmText(line)
    if (npm === undefined) return yarnKind(line) ?? kindOf(line)
    if (isUsage(npm) || isNpmChatter(npm)) return 'chatter'
    if (isNpmCode(npm)) return 'cause'
    const kind = kindOf(npm)
    return kind === 'plain' || kind === 'hint' ? 'detail' : kind
  }
}

function kindOf(line: string): LineKind {
  if (isFrame(line)) return 'frame'
  const bare = bareOf(line)
  if (isChatter(line, bare)) return 'chatter'
  if (isWarning(bare)) return 'warning'
  const said = bare.replace(none, '')
  if (isSummary(said)) return 'summary'
  if (isHeading(said)) return 'heading'
  if (isCause(line, said)) return 'cause'
  return hints.test(said) ? 'hint' : 'plain'
}

/** Marks of lists, frames of boxes, names of tasks in brackets unless they are levels, and times. */
const decoration = new RegExp(
  `^${alternatives([
    /[\s│┃┆|➤•·>✘✖✗✕×❌⨯🚨]/u,
    /\[(?!\s*(?:error|err|fatal|fail|failed|failure|warn|warning|notice|info|!)\b|!\])[\w\s:./@+-]{1,40}\]/,
    /\d{1,4}(?:[-:.,/]\d{1,6}){2,4}Z?(?=\s)/,
    /\d{4}-\d\d-\d\dT[\d:.+Z-]{1,25}(?=\s)/,
    /[ap]m(?=\s)/,
  ])}*`,
  'iu',
)

/** Words about errors that there aren't: "0 errors", "errors: none". */
const counted = alternatives([/errors?|failures?|failed|problems?|exceptions?/])
const nothing = alternatives([/0(?![\w.])/, /(?:none|no|false|null|\[\])(?=\s*(?:$|[,;|)]))/])
const none = new RegExp(
  `(?<![\\w.-])(?:0|no|without|zero) (?:\\w{1,20} )?${counted}\\b(?!-)|` +
    `(?<![\\w-])${counted}\\s?[:=]\\s?${nothing}`,
  'gi',
)

/** Words that lines about failures have, also of programs that nobody knows. */
const failing = alternatives([
  /errors?|exception|fail(?:ed|s|ure|ures)?|fatal|aborted|cannot|can't|could(?:n't| not)|unable to/,
  /not found|no such|missing|invalid|unexpected|undefined|refused|denied|unsupported|unknown|unresolved/,
  /does(?:n't| not) exist|timed out|exceeded|must (?:be|have)|is required/,
])

const hints = new RegExp(`(?<![\\w./:@-])${failing}(?![\\w/(-]|\\.\\w)`, 'i')

/** The line without what tools put in front of their messages. */
export function bareOf(line: string): string {
  return line.replace(decoration, '').trimEnd()
}
