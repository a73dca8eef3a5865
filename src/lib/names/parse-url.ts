/** URLs in texts that strangers may have written. */

/**
 * As long as programs take them. Converting a host to ASCII (UTS 46) takes time with the square of its
 * length.
 */
const maxLength = 8_192

/** The URL that a text is; undefined for any other text, and for more than 8,192 UTF-16 code units. */
export function parseUrl(text: string): URL | undefined {
  return text.length <= maxLength && URL.canParse(text) ? new URL(text) : undefined
}
