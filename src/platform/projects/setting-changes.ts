/** The changes of a project's settings for the log of events. */
import { type Change, changeOf, differences, secretChange } from '../../stores/events/changes.ts'
import { runtimeOf } from './runtime-settings.ts'
import type { ProjectSettings } from './setting-columns.ts'

/** The change of the columns in `set`, which are those of one `field`, with what each was `before`. */
export function settingChanges(
  field: string,
  before: ProjectSettings,
  {
    build,
    runtime,
    bypassSha256,
    passwordHash,
    productionBranch,
    productionBranchBy,
    ...plain
  }: Partial<ProjectSettings>,
): Change[] {
  const { build: buildBefore, runtime: runtimeBefore, ...rest } = before
  return [
    ...(build ? differences({ ...buildBefore }, { ...build }).map(within(field)) : []),
    ...(runtime
      ? differences({ ...runtimeOf(runtimeBefore) }, { ...runtimeOf(runtime) }).map(within(field))
      : []),
    ...(bypassSha256 === undefined
      ? []
      : [secretChange(field, rest.bypassSha256 !== null, bypassSha256 !== null)]),
    ...(passwordHash === undefined
      ? []
      : [secretChange(field, rest.passwordHash !== null, passwordHash !== null)]),
    ...(productionBranch === undefined
      ? []
      : [changeOf(`${field}.production_branch`, rest.productionBranch, productionBranch)]),
    ...(productionBranchBy === undefined || productionBranchBy === rest.productionBranchBy
      ? []
      : [changeOf(`${field}.production_branch_by`, rest.productionBranchBy, productionBranchBy)]),
    ...differences({ ...rest }, plain).map((change) => ({ ...change, field })),
  ]
}

function within(field: string): (change: Change) => Change {
  return (change) => ({ ...change, field: `${field}.${change.field}` })
}
