/** The team that was visited last in this browser. */
const key = 'team'

export const rememberTeam = (team: string): void => localStorage.setItem(key, team)

export const lastTeam = (): string | undefined => localStorage.getItem(key) ?? undefined
