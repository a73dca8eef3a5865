/** The lines that say that something failed, while what failed stands below. */
import { anyOf } from './any-of.ts'

const headings = anyOf([
  /^failed to compile\b/,
  /^error during build\b/,
  /^(?:x )?(?:the )?build failed\b/,
  /^build error occurred\b/,
  /^compilation failed\b/,
  /^problem writing\b/,
  /^error #\d/,
  /^module build failed\b/,
  /^failed to build the site$/,
  /^traceback \(most recent call last\)/,
  /^thread '[^']{0,100}' (?:\(\d{1,10}\) )?panicked at\b/,
  /^command failed: /,
  /^warning, treated as error/,
  /^subprocess-exited-with-error$/,
])

/** "Build failed with 2 errors:" and the like. */
const announced = /(?<![\w./-])(?:errors?|failed|failure|exceptions?|could not be built)(?![\w./-])/i

/** A level in front of the heading, and a name in brackets. */
const level = /^(?:\[(?:error|err|fatal)\]|error:)\s*(?:\[[\w:.-]{1,40}\]\s*)?(?:[✗✘x]\s+)?/iu

/**
 * Whether a line is only the heading of what is wrong.
 * @param bare the line without its decoration.
 */
export function isHeading(bare: string): boolean {
  return (
    headings.test(bare) ||
    headings.test(bare.replace(level, '')) ||
    (bare.endsWith(':') && announced.test(bare))
  )
}
