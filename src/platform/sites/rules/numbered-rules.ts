/** A site's rules with the lines that they come from. */
import type { HeaderRule, Redirect } from './rules.ts'

/** A rule with the number of its line, from 1. */
export type Numbered<T> = { rule: T; line: number }

/** The rules of `_redirects` and of `_headers`. */
export type NumberedRules = { redirects: Numbered<Redirect>[]; headers: Numbered<HeaderRule>[] }
