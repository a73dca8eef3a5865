/** The lines of npm's own messages about errors. */
import { anyOf } from './any-of.ts'

const prefix = /^npm (?:error|ERR!)(?: |$)/

/** The text of a line that begins as those of npm's errors do; undefined for other lines. */
export function npmText(line: string): string | undefined {
  return prefix.test(line) ? line.replace(prefix, '') : undefined
}

/** Words of npm that every error of a kind has, or any script whose own output stands above. */
const chatter = anyOf([
  /^\s*$/,
  /^code (?:elifecycle$|\d)/,
  /^errno\b/,
  /^exit status\b/,
  /^lifecycle script `/,
  /^failed at the .{0,200} script/,
  /^this is probably not a problem with npm/,
  /^test failed\. {2}see above/,
  /^(?:workspace|location|command|signal|syscall|cwd) /,
  /^path (?!.{0,400}\/node_modules\/)/,
  /^@?[^\s:@]{1,200}@[^\s:@]{1,100} [^\s:]{1,50}: `/,
  /^log files were not written\b/,
  /^for a full report see:/,
  /^\s*\/.{1,400}\/_logs\//,
  /^run "npm help /,
  /^(?:to see a list of scripts|did you mean)\b/,
  /^ {2}npm run\b/,
  /^404$/,
  /^404 (?:note that you can also|tarball, folder)/,
  /^gyp (?:info|verb|http)\b/,
  /^gyp err! (?:stack|system|cwd|command|node|build error|not ok)\b/,
  /^(?:fix the upstream dependency conflict|this command with --force|to accept an incorrect)\b/,
])

/** Whether such a text says nothing about the failure at hand. */
export function isNpmChatter(text: string): boolean {
  return chatter.test(text)
}

/** Whether such a text is the first line of an error of npm's own, such as `code ERESOLVE`. */
export function isNpmCode(text: string): boolean {
  return /^code E[A-Z]/.test(text)
}

/** The first lines of what npm says of a command that was used in the wrong way, up to its end. */
const usage = /^(?:usage:|clean install a project$|install a package$|run a script\b)/i

/** Tells the lines of a stream that are npm's description of a command, which may be of many lines. */
export function npmUsage(): (text: string) => boolean {
  let isUsage = false
  return (text) => {
    if (usage.test(text)) isUsage = true
    const isEnd = isNpmCode(text) || text.startsWith('A complete log of this run')
    if (!isEnd) return isUsage
    isUsage = false
    return !isNpmCode(text)
  }
}
