/** The path that the name of an archive's entry stands for, the same in zips and tars. */
import { toNfc } from './nfc.ts'

/**
 * The `name` without the `./` that bsdtar and others begin it with, in NFC. A name that is nothing else stays
 * one that ends with a slash, as those of directories do: it is the root.
 */
export function entryPath(name: string): string {
  return toNfc(name.replace(/^(?:\.\/+)+(?=[^/])/, ''))
}
