'use client'
/** The dialog that sets variables, one by one or from the text of a `.env` file. */
import { type ClipboardEvent, useState } from 'react'
import { FormDialog } from '@/ui/dialog'
import { Select, TextArea, TextField } from '@/ui/field'
import { EnvFileError, parseEnvFile } from '../../../../src/lib/env-file.ts'
import { type ProjectRecord, useSave } from './use-save'

const targets = [
  { value: 'both', label: 'Production and previews' },
  { value: 'production', label: 'Production only' },
  { value: 'preview', label: 'Previews only' },
  { value: 'branch', label: 'Previews of one branch' },
]

type Variable = { key: string; value: string }

/**
 * The variables of pasted text, or why it has none; undefined for a name alone. Of several with one name, the
 * last.
 */
function readPasted(text: string): Variable[] | string | undefined {
  if (!/[=\n]/.test(text.trim())) return undefined
  try {
    const found = new Map(parseEnvFile(text).map(({ key, value }) => [key, value]))
    return found.size === 0 ? undefined : [...found].map(([key, value]) => ({ key, value }))
  } catch (error) {
    if (error instanceof EnvFileError) return `Not pasted: ${error.message}`
    throw error
  }
}

type Place = { target: ('production' | 'preview')[]; branch?: string }

function placeOf(chosen: string, branch: string): Place {
  if (chosen === 'branch') return { target: ['preview'], branch }
  if (chosen === 'production' || chosen === 'preview') return { target: [chosen] }
  return { target: ['production', 'preview'] }
}

type SetEnvProps = { project: ProjectRecord; onSaved: () => void; onClose: () => void }

export function SetEnv({ project, onSaved, onClose }: SetEnvProps) {
  const [key, setKey] = useState('')
  const [value, setValue] = useState('')
  const [pasted, setPasted] = useState<Variable[]>()
  const [problem, setProblem] = useState<string>()
  const [target, setTarget] = useState('both')
  const [branch, setBranch] = useState('')
  const { save, isSaving, error, errorOf } = useSave(project, () => {
    onSaved()
    onClose()
  })
  const variables = pasted ?? [{ key, value }]

  function onPaste(event: ClipboardEvent): void {
    const found = readPasted(event.clipboardData.getData('text'))
    if (found === undefined) return
    event.preventDefault()
    if (typeof found === 'string') setProblem(found)
    else setPasted(found)
  }

  return (
    <FormDialog
      title="Set variables"
      note="Paste the text of a .env file into the name to set all of it at once."
      action={variables.length === 1 ? 'Set' : `Set ${variables.length} variables`}
      busy={isSaving}
      error={error}
      fields={['env.0.branch', ...(pasted ? [] : ['env.0.key', 'env.0.value'])]}
      onClose={onClose}
      onSubmit={() => save({ env: variables.map((each) => ({ ...each, ...placeOf(target, branch) })) })}
    >
      {pasted ? (
        <Pasted
          variables={pasted}
          onRemove={(name) => setPasted(pasted.filter((each) => each.key !== name))}
        />
      ) : (
        <>
          <TextField
            label="Name"
            value={key}
            error={problem ?? errorOf('env.0.key')}
            placeholder="API_BASE"
            required
            onPaste={onPaste}
            onChange={(event) => {
              setProblem(undefined)
              setKey(event.target.value)
            }}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
          <TextArea
            label="Value"
            value={value}
            error={errorOf('env.0.value')}
            rows={3}
            onChange={(event) => setValue(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        </>
      )}
      <Select
        label="For"
        options={targets}
        value={target}
        onChange={(event) => setTarget(event.target.value)}
      />
      {target === 'branch' && (
        <TextField
          label="Branch"
          value={branch}
          error={errorOf('env.0.branch')}
          placeholder="staging"
          required
          onChange={(event) => setBranch(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
      )}
    </FormDialog>
  )
}

/** How much of a value is shown, so that it can be recognized but not read over a shoulder. */
const visible = 3

function Pasted({ variables, onRemove }: { variables: Variable[]; onRemove: (key: string) => void }) {
  return (
    <ul
      aria-label="Variables found"
      className="max-h-56 overflow-y-auto rounded-md border border-line font-mono text-xs"
    >
      {variables.map(({ key, value }) => (
        <li key={key} className="flex items-center gap-2 px-2 py-1">
          <span className="min-w-0 flex-1 truncate">{key}</span>
          <span className="text-dim">{`${value.slice(0, visible)}••••`}</span>
          <button
            type="button"
            aria-label={`Leave out ${key}`}
            className="px-1 text-dim"
            onClick={() => onRemove(key)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  )
}
