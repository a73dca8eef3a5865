'use client'
/**
 * Dialogs. Load them where they are opened: `lazy(() => import('@/ui/dialog'))` keeps them out of the first
 * page.
 */
import { Dialog as Base } from '@base-ui/react/dialog'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { isBeside } from '@/lib/api-error'
import { Button, IconButton } from './button'
import { TextField } from './field'
import { Icon } from './icons'
import { Problem } from './problem'

type DialogProps = {
  title: string
  note?: ReactNode
  /** Called when the person leaves it by Escape, the cross or a click beside it. */
  onClose: () => void
  children: ReactNode
  wide?: boolean
}

/** An open dialog: render it while it should be open. */
export function Dialog({ title, note, onClose, children, wide = false }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const width = wide ? 'max-w-2xl' : 'max-w-md'
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          ref={popup}
          // The first field rather than the cross.
          initialFocus={() => popup.current?.querySelector<HTMLElement>('input, textarea, select') ?? true}
          className={
            `fixed top-[10vh] left-1/2 z-50 max-h-[80vh] w-[calc(100vw-2rem)] ${width} ` +
            '-translate-x-1/2 overflow-y-auto rounded-lg border border-line bg-surface p-5 shadow-xl'
          }
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div>
              <Base.Title className="font-semibold text-base">{title}</Base.Title>
              {note && <Base.Description className="mt-1 text-dim">{note}</Base.Description>}
            </div>
            <Base.Close render={<IconButton label="Close" className="-mt-1 -mr-2" />}>
              <Icon name="close" />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

type FormDialogProps = DialogProps & {
  /** The button that submits. */
  action: string
  danger?: boolean
  busy: boolean
  /** The error of the last try. */
  error?: unknown
  /** The paths of fields that say themselves what the API found wrong with them. */
  fields?: readonly string[]
  disabled?: boolean
  onSubmit: () => void
}

/** A dialog with a form. */
export function FormDialog({
  action,
  danger = false,
  busy,
  error,
  fields = [],
  disabled,
  onSubmit,
  ...rest
}: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog {...rest}>
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        {rest.children}
        {error !== undefined && error !== null && !isBeside(fields, error) && <Problem error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={rest.onClose}>Cancel</Button>
          <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type ConfirmProps = Omit<FormDialogProps, 'children' | 'disabled'> & {
  /** A name to type before the button works, for what can't be undone. */
  name?: string
  children?: ReactNode
}

/** Asks before something is done; with `name` only once that is typed. */
export function Confirm({ name, children, ...rest }: ConfirmProps) {
  const [typed, setTyped] = useState('')
  const id = useId()
  return (
    <FormDialog {...rest} disabled={name !== undefined && typed !== name}>
      {children}
      {name !== undefined && (
        <TextField
          id={id}
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </FormDialog>
  )
}
