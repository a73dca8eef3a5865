/** Names and other lines that people write and other people read: one rule for all of them. */
import { z } from 'zod'
import { hiddenClass } from './hidden-characters.ts'
import { hasEndlessMarks, toNfc } from './nfc.ts'

type Length = { min?: number; max: number }

/** A text that is this many times too long isn't looked at: spaces and marks of it can't be all that goes. */
const maxTyped = 16

/**
 * A line to show, in normalization form C (UAX #15), with single spaces: nothing in it is hidden, private, or
 * reorders what is around it, and something can be seen. `min` is 1; with 0 it may be empty. What joins the
 * parts of an emoji (UTS #51, RGI), or letters of scripts that need it (RFC 5892, appendix A), may stay.
 */
export function displayText({ min = 1, max }: Length): z.ZodString {
  return z
    .string()
    .overwrite((text) => (text.length > maxTyped * max ? text : tidy(text)))
    .min(min)
    .max(max)
    .superRefine((text, { addIssue }) => {
      const message = text.length > max ? undefined : problemOf(text)
      if (message !== undefined) addIssue({ code: 'custom', message })
    })
}

/**
 * A text of somewhere else as such a line, of at most `max` UTF-16 units, without what may not be in one.
 * Empty if nothing is left.
 */
export function toDisplayText(text: string, max = Number.POSITIVE_INFINITY): string {
  const few = text.replaceAll(/(\p{M}{30})\p{M}+/gu, '$1')
  const line = tidy(withoutHidden(tidy(few).slice(0, max).toWellFormed()))
  return isSeen(line) ? line : ''
}

/** Spaces of all kinds, and characters without ink: in Braille, music, Egyptian hieroglyphs and Khitan. */
const blanks = /[\p{Zs}\u2800\u{1d159}\u{13441}\u{13442}\u{16fe4}]+/gu

function tidy(text: string): string {
  return toNfc(text).replaceAll(blanks, ' ').trim()
}

/** Signs after which a joiner changes how the next letter is written. */
const viramas = '\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca'

/** Arabic letters that join the next one. */
const joining =
  '\u0628\u067e\u062a\u062b\u062c\u0686\u062d\u062e\u0633\u0634\u0635\u0636\u0637\u0638' +
  '\u0639\u063a\u0641\u0642\u06a9\u0643\u06af\u0644\u0645\u0646\u0647\u06cc\u064a\u0626'

/** Emoji, and joiners where letters need them: parts of these are hidden by themselves, but not here. */
const joined = new RegExp(
  [
    '\\p{RGI_Emoji}',
    `(?<=[${viramas}])[\u200c\u200d](?=\\p{L})`,
    `(?<=[${joining}])\u200c(?=\\p{Script=Arabic})`,
  ].join('|'),
  'gv',
)

const hidden = new RegExp(hiddenClass, 'u')
const allHidden = new RegExp(hiddenClass, 'gu')

function problemOf(text: string): string | undefined {
  const [found] = hidden.exec(text.replaceAll(joined, '')) ?? []
  if (found !== undefined) {
    const rule = 'must be one line, without characters that nobody sees or that reorder others'
    return `${rule}, such as ${nameOf(found)}`
  }
  if (hasEndlessMarks(text)) return 'must have at most 30 marks on a character'
  return text === '' || isSeen(text) ? undefined : 'must have a character that can be seen'
}

function withoutHidden(text: string): string {
  const kept = [...text.matchAll(joined)].map(([part]) => part)
  return text
    .split(joined)
    .map((part, index) => part.replaceAll(allHidden, ' ') + (kept[index] ?? ''))
    .join('')
}

/** Marks alone are seen on nothing. */
function isSeen(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
