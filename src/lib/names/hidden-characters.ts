/** Characters that nobody sees, or that change how others are read. */

/**
 * As a class of regular expressions with the flag `u`: control and format characters, what Unicode ignores by
 * default (marks of direction, characters without a width, tags, selectors of variants), private ones,
 * separators of lines and paragraphs, halves of pairs, and what is no character.
 */
export const hiddenClass =
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}]'
