'use client'
/** Fields of forms: label, input, hint, and what the API found wrong. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '@/lib/class-names'

type FieldProps = {
  label: string
  hint?: ReactNode
  /** The problem with the value; a predicate as the API says it, such as "must be a host name". */
  error?: string | undefined
}

const box =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 ' +
  'placeholder:text-dim/70 aria-invalid:border-bad disabled:opacity-60'

type FrameProps = FieldProps & { id: string; children: ReactNode }

function Frame({ id, label, hint, error, children }: FrameProps) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {children}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-bad">
          {label} {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-dim">
          {hint}
        </p>
      )}
    </div>
  )
}

function describedBy(id: string, { hint, error }: FieldProps): { 'aria-describedby'?: string } {
  const ids = [error !== undefined && `${id}-error`, hint && `${id}-hint`].filter(Boolean)
  return ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}
}

/** A line of text. */
export function TextField({ label, hint, error, className, ...rest }: FieldProps & ComponentProps<'input'>) {
  const own = useId()
  const id = rest.id ?? own
  const field = { label, hint, error }
  return (
    <Frame id={id} {...field}>
      <input
        {...rest}
        {...describedBy(id, field)}
        id={id}
        aria-invalid={error !== undefined || undefined}
        className={classNames(box, 'h-8', className)}
      />
    </Frame>
  )
}

/** Several lines of text. */
export function TextArea({
  label,
  hint,
  error,
  className,
  ...rest
}: FieldProps & ComponentProps<'textarea'>) {
  const own = useId()
  const id = rest.id ?? own
  const field = { label, hint, error }
  return (
    <Frame id={id} {...field}>
      <textarea
        {...rest}
        {...describedBy(id, field)}
        id={id}
        aria-invalid={error !== undefined || undefined}
        className={classNames(box, 'py-1.5', className)}
      />
    </Frame>
  )
}

type SelectProps = FieldProps &
  ComponentProps<'select'> & { options: readonly { value: string; label: string }[] }

/** One of a few values. */
export function Select({ label, hint, error, options, className, ...rest }: SelectProps) {
  const own = useId()
  const id = rest.id ?? own
  const field = { label, hint, error }
  return (
    <Frame id={id} {...field}>
      <select
        {...rest}
        {...describedBy(id, field)}
        id={id}
        aria-invalid={error !== undefined || undefined}
        className={classNames(box, 'h-8', className)}
      >
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  )
}

type SwitchProps = Omit<ComponentProps<'input'>, 'type'> & { label: string; hint?: ReactNode }

/** On or off. */
export function Switch({ label, hint, ...rest }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2">
      <input
        {...rest}
        {...(hint && { 'aria-describedby': `${id}-hint` })}
        id={id}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-dim">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
