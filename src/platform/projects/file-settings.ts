/** The settings of a project that `svc.json` may hold: all but its name, its variables and its secret. */
export const fileSettings = [
  'build',
  'protection',
  'auto_promote',
  'preview_ttl_days',
  'spa',
  'hsts',
  'branch_addresses',
] as const

export type FileSetting = (typeof fileSettings)[number]
