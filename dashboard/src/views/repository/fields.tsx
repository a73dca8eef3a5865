/** The fields that say where a repository is, and where in it the site. */
import { Select, TextArea, TextField } from '@/ui/field'
import { providers } from './forge-form'

type FieldProps = { value: string; error: string | undefined; onChange: (value: string) => void }

export function AddressField({ value, error, onChange }: FieldProps) {
  return (
    <TextField
      label="Address"
      placeholder="https://github.com/acme/web"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      inputMode="url"
      required
    />
  )
}

export function ForgeField({ value, error, onChange }: FieldProps) {
  return (
    <Select
      label="Kind of forge"
      options={providers}
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** `isSet` where the project has a token already. */
export function TokenField({ value, error, onChange, isSet }: FieldProps & { isSet: boolean }) {
  return (
    <TextField
      label="Token"
      type="password"
      hint={
        isSet
          ? 'Leave it empty to keep the present one, as long as the address stays.'
          : 'Only for a private repository: one that may read it and nothing else.'
      }
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
    />
  )
}

export function DirectoryField({ value, error, onChange }: FieldProps) {
  return (
    <TextField
      label="Directory"
      hint="Where the site is in the repository. Leave it empty for all of it."
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** The paths of problems with what is watched, which has at most 20 lines. */
export const watchPaths = ['git.watch', ...Array.from({ length: 20 }, (_, at) => `git.watch.${at}`)]

/** The files and directories that the lines of the field name. */
export const watchedIn = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

type WatchProps = Omit<FieldProps, 'error'> & { errorOf: (path: string) => string | undefined }

export function WatchField({ value, errorOf, onChange }: WatchProps) {
  return (
    <TextArea
      label="Also watch"
      hint="Other files and directories whose changes are deployed, one a line, such as packages/ui."
      value={value}
      error={watchPaths.flatMap((path) => errorOf(path) ?? [])[0]}
      onChange={(event) => onChange(event.target.value)}
      rows={3}
      spellCheck={false}
      className="font-mono"
    />
  )
}
