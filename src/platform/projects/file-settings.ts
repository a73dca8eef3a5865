/** The settings of a project that `svc.json` may hold. */
import { namesOf } from './field.ts'
import { fieldFacts } from './field-facts.ts'
import type { FieldName, FileField } from './fields.ts'

/** The name of such a setting. */
export type FileSetting = 'build' | 'runtime' | FileField

const isInFile = (name: FieldName): name is FileField => fieldFacts[name].inFile

/** The names of those with a column of their own. */
export const fileFields: readonly FileField[] = namesOf(fieldFacts).filter(isInFile)

/** The names of all of them. */
export const fileSettings: readonly FileSetting[] = ['build', 'runtime', ...fileFields]
