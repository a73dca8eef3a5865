/** The lines that say what is wrong. */
import { alternatives, anyOf } from './any-of.ts'

/** Words that say which kind of error it is, as in "Type error:" and "Internal server error:". */
const adjectives = alternatives([
  /assertion|build|bundle|bundling|compile|compiler|compilation|config|configuration|css|eslint|fatal/,
  /import|internal|json|liquid|link|linker|mdx?|module|network|next(?:\.js)?|nuxt|parse|parser|parsing/,
  /php|postcss|range|reference|render|rendering|resolve|rollup|runtime|sass|schema|server|syntax/,
  /template|toml|type|typescript|uncaught|unexpected|unhandled|unknown|usage|validation|vite|webpack|yaml/,
])

/** The code or the place of an error, as in "error TS2304:", "error[E0308]:" and "error (line 3):". */
const code = alternatives([/\[\w{1,12}\]/, / [a-z]{1,5}\d{1,6}/, / \(\w[\w ]{0,30}\)/])

/** Words after "error" where it is part of a name. */
const nouns = alternatives([
  /and\b|boundar|codes?\b|components?\b|handl|is\b|log|messages?\b|monitor|or\b|overlay|pages?\b/,
  /report|templates?\b|track/,
])

/** By the beginning of the line, without its decoration. */
const beginnings = anyOf([
  new RegExp(`^(?:${adjectives} ){0,3}error${code}?\\s?:`),
  new RegExp(`^error(?:!|\\s+(?!${nouns})\\S)`),
  /^\[(?:error|err|fatal|fail|failed|failure)\]/,
  /^(?:fatal(?: error)?|panic|critical)\s?[:!]/,
  /^(?:unhandled|uncaught)\b.{0,80}\b(?:error|exception|rejection)/,
  /^\[!\]\s/,
  /^e: \S/,
  /^not ok \d/,
  /^::error\b/,
  /^exception in thread\b/,
  /\blevel=(?:error|fatal|panic)\b|"level":\s?(?:"(?:error|fatal)|[56]0\b)/,
  /^\*\* \([\w.]+\) /,
  // pnpm.
  /^err_[a-z]+_[a-z0-9_]+\s/,
  // Next, webpack, Node, Rollup.
  /^module (?:not found|parse failed)\b/,
  /^cannot find (?:module|package)\b/,
  /^can't resolve '/,
  /^rollup failed to resolve\b/,
  // Shells, and what they run.
  /^(?:\/\S{0,200}\/)?(?:ba|da|z|a|k)?sh: /,
  /^(?:\/usr\/bin\/)?env: /,
  /^\S{1,300}: line \d{1,7}: /,
  /: (?:command )?not found$/,
  /: (?:no such file or directory|permission denied|is a directory|not a directory|exec format error)$/,
  /^make(?:\[\d{1,4}\])?: \*\*\* (?!\[|waiting)/,
  /^curl: \(\d/,
  // The ends of processes.
  /^(?:killed|segmentation fault|bus error|illegal instruction)(?: \(core dumped\))?$/,
  /allocation failed - /,
  // Go, and Ruby.
  /^(?:vet: )?[^\s:]{1,300}\.go:\d{1,7}(?::\d{1,7})?: /,
  /^[^\s:]{1,300}:\d{1,7}:in [`'].{0,300}: /,
  /^could not find (?:gem|compatible versions)\b/,
  /^could not find \S{1,100} in (?:any of the sources|locally installed gems)/,
  /^bundler: /,
  // Rows of ESLint and of what has learned from it.
  /^\d{1,7}:\d{1,7}\s+(?:error\b|✖)/,
  // The name of a program, or a place, and the word, as compilers have it.
  /^[\w./+-]{1,200}: (?:fatal |internal compiler )?error\b(?![-./])/,
  /(?:\(\d{1,7},\d{1,7}\)|:\d{1,7}):? (?:- )?(?:fatal )?error\b(?![-./])/,
])

/** The name of an error's class, with its case: "error: " in the middle of a line may be anything. */
const named = new RegExp(
  alternatives([
    /(?<![\w-])(?:[A-Z]\w*)?(?:Error|ERROR|Exception|Rejection)(?: \[\w{1,40}\])?: /,
    /^(?:\w+[.:])*[A-Z]\w*(?:Error|Exception)$/,
    /^(?:FAIL|FAILED|FATAL|ERR!?|ERROR)(?:\s|$)/,
  ]),
)

/** The signs with which tools begin a line about what went wrong. */
const signs = /^\s*[✘✖✗✕×❌⨯🚨]\s*\S/u

/**
 * Whether a line says what is wrong.
 * @param line as it was printed.
 * @param bare the line without its decoration.
 */
export function isCause(line: string, bare: string): boolean {
  return beginnings.test(bare) || named.test(bare) || signs.test(line)
}
