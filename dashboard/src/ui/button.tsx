/** Buttons, and links that look like them. */
import Link from 'next/link'
import type { ComponentProps } from 'react'
import { classNames } from '@/lib/class-names'
import { Spinner } from './spinner'

type Look = 'primary' | 'plain' | 'danger' | 'quiet'

const looks: Record<Look, string> = {
  primary: 'bg-accent text-accent-text border-transparent hover:opacity-90',
  plain: 'bg-surface text-text border-line-strong hover:bg-sunken',
  danger: 'bg-surface text-bad border-line-strong hover:bg-bad-soft',
  quiet: 'bg-transparent text-dim border-transparent hover:bg-sunken hover:text-text',
}

const shape =
  'inline-flex h-8 items-center justify-center gap-1.5 whitespace-nowrap ' +
  'rounded-md border px-3 font-medium disabled:opacity-50'

type ButtonProps = ComponentProps<'button'> & {
  look?: Look
  /** Disables it, with a spinner. */
  busy?: boolean
}

/** A button; `type` is `button` unless given. */
export function Button({
  look = 'plain',
  busy = false,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={classNames(shape, looks[look], className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** A button with an icon only; `label` is its name. */
export function IconButton({ label, className, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={rest.title ?? label}
      className={classNames(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md ' +
          'text-dim hover:bg-sunken hover:text-text disabled:opacity-50',
        className,
      )}
    />
  )
}

type LinkButtonProps = ComponentProps<typeof Link> & { look?: Look }

/** A link to another page that looks like a button. */
export function LinkButton({ look = 'plain', className, ...rest }: LinkButtonProps) {
  return <Link {...rest} className={classNames(shape, looks[look], className)} />
}
