/** Who made something that acts in the maker's name, in a table. */

/** `ended` is missing in the responses of earlier servers. */
type Made = { created_by_name: string; ended?: { reason: string } | null | undefined }

/** The maker's name; with the reason of an end, where it acts no more. */
export function makerText({ created_by_name, ended }: Made): string {
  return ended ? `${created_by_name}, ended: ${ended.reason}` : created_by_name
}
