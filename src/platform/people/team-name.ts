/** The name of a personal team, until its owner chooses another. */

/** That of the first team, as long as nothing is known of its owner. */
export const unnamedTeam = 'Personal'

/** The name of a user of whom nothing is known. */
export const unnamedPerson = 'owner'

/** Shorter than the longest name of a team by what is added. */
const maxNameLength = 190

/** Such as `Ada's team`: from the person's own name, else from the part of the address before the `@`. */
export function teamNameFor({ email, name }: { email: string; name: string }): string {
  const own = name === email ? localName(email) : name
  return `${own.slice(0, maxNameLength).toWellFormed() || email}'s team`
}

/** `ada.lovelace+svc@example.com` → `Ada Lovelace`. */
function localName(email: string): string {
  const [local = ''] = email.split(/[@+]/, 1)
  return local
    .split(/[._-]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
