export const shared: string[]
export function digestSources(): string
export function isBuiltFrom(digest: string): boolean
