/** Where what was chosen goes. */
import { problemOf } from '@/lib/api-error'
import { Switch, TextField } from '@/ui/field'

type Props = {
  /** The name of the new project; undefined where there is a project. */
  name: string | undefined
  onName: (name: string) => void
  isProduction: boolean
  onProduction: (isProduction: boolean) => void
  error: unknown
}

export function DestinationFields({ name, onName, isProduction, onProduction, error }: Props) {
  return (
    <>
      {name !== undefined && (
        <TextField
          label="Project"
          hint="Lower-case letters, digits and hyphens. It is part of the site's address."
          value={name}
          error={error === undefined ? undefined : problemOf(error).fields.get('project')}
          onChange={(event) => onName(event.target.value.toLowerCase())}
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
      <Switch
        label="Production"
        hint="It goes live at once. Otherwise it is a preview, with an address of its own."
        checked={isProduction}
        onChange={(event) => onProduction(event.target.checked)}
      />
    </>
  )
}
