/** The lines that say nothing about a failure: warnings, and what tools print beside the matter. */
import { anyOf } from './any-of.ts'

const warnings = anyOf([
  /^(?:npm warn|\[?warn(?:ing)?\]?(?! code style issues)|deprecation|deprecated)(?:[\s:!]|$)/,
  /^\(node:\d{1,10}\) (?!unhandledpromiserejection)/,
  /^\(use `\S{1,100} --trace-/,
  /^\(!\)/,
  /^⚠/,
  /^▲ \[warning\]/,
  /^w: \S/,
  /\blevel=warn|"level":\s?(?:"warn|40\b)/,
  /^\d{1,7}:\d{1,7}\s+warning\b/,
  /(?:\(\d{1,7},\d{1,7}\)|:\d{1,7}):? (?:- )?warning\b(?![-./])/,
  /(?<![\w-])(?:deprecation|experimental|future|pending|resource|runtime|syntax|user)warning: /,
  /(?<![\w-])(?:build|liquid|rollup) warning: /,
  /\bproblems? \(0 errors\b/,
  // A host that a build may not reach, which the message of the error quotes.
  /^(?:refused|unreachable): [\w.-]{1,300}:\d{1,5}[ ,]/,
])

/**
 * Whether a line is a warning, also one about an error.
 * @param bare the line without its decoration.
 */
export function isWarning(bare: string): boolean {
  return warnings.test(bare)
}

const chatter = anyOf([
  // Commands, as package managers repeat them; not a frame of code, nor what Next begins so.
  /^\s*\$ /,
  /^> (?!\s*\d{1,7} [|│]|build |export |error|failed|could|cannot|task )/,
  /^(?:npm (?:notice|info|http|verb|timing)|yarn run v\d|pnpm run )/,
  /^\s*\[?(?:info|notice|debug|verbose|success)\]?(?:[\s:]|$)/,
  /^\s*[✓✔√]/,
  /^node\.js v\d/,
  /^bun v\d[\w.]* \(/,
  /^stack ?trace:?$/,
  /^jekyll \S{1,20} {2,}please append `--trace`/,
  /^for any additional information or backtrace\b/,
  /^\s*\[end of output\]$/,
  // How webpack looks for a module.
  /^(?:using description file:|field '\w{1,40}' doesn't contain|aliased from |failed to alias )/,
  /^resolve(?:d)? (?:as |')/,
  /^----- native stack trace -----$/,
  /^trace:/,
  /^note: (?:run with `|this error originates from a subprocess)/,
  /^(?:some errors have detailed explanations|for more information about (?:an|this) error)\b/,
  /^during handling of the above exception\b/,
  /^the above exception was the direct cause\b/,
  /^<--- (?:last few gcs|js stacktrace) --->$/,
  /^\s*\[\d{1,10}:0x[0-9a-f]{1,20}\] /,
])

/** Whether a line is of no use to somebody who looks for a failure. */
export function isChatter(line: string, bare: string): boolean {
  return chatter.test(line) || chatter.test(bare)
}

const summaries = anyOf([
  /^found \d{1,7} errors?\b/,
  /^(?:failed|finished) with (?:errors|status 'error')/,
  /^\d{1,7} problems? \(/,
  /^\d{1,7} errors?\b.{0,60}(?:\bfixable\b|$)/,
  /\b(?:command|script|process|worker)\b.{0,80}\b(?:exited|failed|ended) (?:with|\()/,
  /\bexit(?:ed)?(?: with)?(?: exit)? (?:code|status)[: ]/,
  /^exit status \d/,
  /^make(?:\[\d{1,4}\])?: \*\*\* (?:\[|waiting)/,
  /^error: (?:could not compile|aborting due to|script ")/,
  /^error: .{0,200}\bexited \(\d/,
  /\bcompiled with \d{1,7} errors?\b/,
  /^aborted with (?:a|\d{1,7}) /,
  /^aborted(?: \(core dumped\))?$/,
  /^\[?elifecycle\b/,
  /^err_pnpm_recursive_(?:run|exec)_first_fail\b/,
  /^bundler: failed to load command\b/,
  /^export encountered (?:an error|errors) on\b/,
  /^(?:eslint found )?too many warnings\b/,
  /^eslint found too many\b/,
  /^build failed because of\b/,
  /^\[warn\] code style issues\b/,
  /^ ?run failed: /,
  /^failed:\s+\S{1,200}#\S{1,100}$/,
])

/** Whether a line only sums up what was said before it, or names the program that failed. */
export function isSummary(bare: string): boolean {
  return summaries.test(bare)
}

/** Frames of stacks: of JavaScript, V8, Ruby, Go and Rust. */
const frames = anyOf([
  /^(?:\s{2,}|\t)at \S/,
  /^\s*(?:at )?async \S.{0,300}:\d{1,7}:\d{1,7}\)?$/,
  /^\s*\d{1,3}: 0x[0-9a-f]{1,20}\b/,
  /^\s*(?:from|\d{1,4}: from) [^\s:]{1,300}:\d{1,7}:in\b/,
  /^#\d{1,4} \S/,
  /^goroutine \d{1,10} \[/,
  /^[\w./-]{1,200}(?:\(\*\w{1,100}\)\.\w{1,100})?\((?:\.\.\.|0x[\da-f, x]{0,200})?\)$/,
  /^\t\/\S{1,300}\.go:\d/,
  /^\s{2,}\d{1,4}: [\w<][\w:<>{}$ ]{0,200}$/,
  /^stack backtrace:$/,
])

/** Whether a line is of a stack's trace. */
export function isFrame(line: string): boolean {
  return frames.test(line)
}
