/** Limits the size of events: each is stored, logged and sent to webhooks. */

const maxValueBytes = 1_024
const maxEntriesBytes = 8 * 1_024

/** The text itself, or as much of its beginning as makes so many bytes of UTF-8 (1,024) with an ellipsis. */
export function shortText(text: string, maxBytes = maxValueBytes): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text).subarray(0, maxBytes - Buffer.byteLength('…'))
  // A character that was cut through is left out.
  return `${new TextDecoder().decode(bytes, { stream: true })}…`
}

/** Entries with their values made short, as many as make 8 KiB of UTF-8, the shortest first. */
export function shortEntries(entries: Record<string, string>): Record<string, string> {
  const bySize = Object.entries(entries)
    .map(([key, value]) => ({ key, value: shortText(value) }))
    .map((entry) => ({ ...entry, bytes: Buffer.byteLength(entry.key) + Buffer.byteLength(entry.value) }))
    .toSorted((a, b) => a.bytes - b.bytes)
  let left = maxEntriesBytes
  const kept = new Map<string, string>()
  for (const { key, value, bytes } of bySize) {
    left -= bytes
    if (left < 0) break
    kept.set(key, value)
  }
  // In the order in which they came.
  return Object.fromEntries(
    Object.keys(entries).flatMap((key) => {
      const value = kept.get(key)
      return value === undefined ? [] : [[key, value]]
    }),
  )
}
