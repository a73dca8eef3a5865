/** The items that the palette offers. */

/** A project whose actions the palette offers. */
export type Scope = { project: string }

export type Item = {
  id: string
  /** Under which heading it stands. */
  group: string
  label: string
  hint?: string
  /** Goes somewhere or does something; the palette closes. */
  run?: () => void
  /** Instead of `run`: offers the actions of this. */
  scope?: Scope
}

const perGroup = 5

/** The items whose label has every word of `text`, at most five of each group while nothing is typed. */
export function matching(items: Item[], text: string): Item[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length > 0) {
    return items.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  }
  const counts = new Map<string, number>()
  return items.filter(({ group }) => {
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    return count <= perGroup
  })
}
