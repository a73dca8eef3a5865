'use client'
/** The fields of a record. */
import { Select, TextArea, TextField } from '@/ui/field'
import { type RecordInput, recordTypes, types } from './record-input'

type RecordFieldsProps = {
  input: RecordInput
  onChange: (input: RecordInput) => void
  /** The problems that the API finds, by field. */
  errors: Map<string, string>
  /** The type of an existing record can't change. */
  isExisting: boolean
}

const labels = { priority: 'Priority', weight: 'Weight', port: 'Port' }

export function RecordFields({ input, onChange, errors, isExisting }: RecordFieldsProps) {
  const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false }
  const value = {
    label: 'Value',
    placeholder: types[input.type].example,
    value: input.value,
    error: errors.get('value'),
    ...plain,
  }
  // What is wrong is a sentence, which needs room.
  const widthOf = (field: string, usual: string) => (errors.has(field) ? 'w-80 max-sm:w-full' : usual)
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className={widthOf('name', 'w-40 max-sm:w-full')}>
        <TextField
          label="Name"
          placeholder="www, or @"
          value={input.name}
          error={errors.get('name')}
          onChange={(event) => onChange({ ...input, name: event.target.value })}
          {...plain}
        />
      </div>
      <div className={widthOf('type', 'w-28')}>
        <Select
          label="Type"
          options={recordTypes.map((type) => ({ value: type, label: type }))}
          value={input.type}
          disabled={isExisting}
          title={isExisting ? 'Delete the record and add another to change its type' : undefined}
          error={errors.get('type')}
          onChange={(event) => {
            const type = recordTypes.find((each) => each === event.target.value)
            if (type) onChange({ ...input, type })
          }}
        />
      </div>
      {types[input.type].numbers.map((field) => (
        <div key={field} className={widthOf(field, 'w-20')}>
          <TextField
            label={labels[field]}
            type="number"
            value={input[field]}
            error={errors.get(field)}
            onChange={(event) => onChange({ ...input, [field]: event.target.value })}
          />
        </div>
      ))}
      <div className="min-w-48 flex-1 max-sm:w-full max-sm:flex-none">
        {input.type === 'TXT' ? (
          <TextArea
            {...value}
            rows={Math.min(6, 1 + Math.floor(input.value.length / 60))}
            className="font-mono"
            onChange={(event) => onChange({ ...input, value: event.target.value })}
          />
        ) : (
          <TextField
            {...value}
            className="font-mono"
            onChange={(event) => onChange({ ...input, value: event.target.value })}
          />
        )}
      </div>
      <div className={widthOf('ttl', 'w-24')}>
        <TextField
          label="TTL"
          type="number"
          placeholder="300"
          title="Seconds; shared by all records of the name and type"
          value={input.ttl}
          error={errors.get('ttl')}
          onChange={(event) => onChange({ ...input, ttl: event.target.value })}
        />
      </div>
      <div className={widthOf('comment', 'w-40 max-sm:w-full')}>
        <TextField
          label="Comment"
          value={input.comment}
          error={errors.get('comment')}
          onChange={(event) => onChange({ ...input, comment: event.target.value })}
          autoComplete="off"
        />
      </div>
    </div>
  )
}
