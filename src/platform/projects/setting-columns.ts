/** Where the settings of a project are stored, except the environment. */
import { projects } from '../../stores/db/schema/projects.ts'

export const settingColumns = {
  name: projects.name,
  build: projects.build,
  protection: projects.protection,
  autoPromote: projects.autoPromote,
  previewTtlDays: projects.previewTtlDays,
  spa: projects.spa,
  hsts: projects.hsts,
  branchAddresses: projects.branchAddresses,
  productionBranch: projects.productionBranch,
  productionBranchBy: projects.productionBranchBy,
  bypassSha256: projects.bypassSha256,
  passwordHash: projects.passwordHash,
}

export type ProjectSettings = Pick<typeof projects.$inferSelect, keyof typeof settingColumns>
