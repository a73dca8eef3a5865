'use client'
/** An open menu and what stands in it. Loaded by `menu.tsx` once a menu is opened. */
import { Menu as Base } from '@base-ui/react/menu'
import Link from 'next/link'
import { type ComponentProps, type ReactElement, type ReactNode, useRef } from 'react'
import { classNames } from '@/lib/class-names'

export type MenuProps = {
  /** The button. */
  trigger: ReactElement<ComponentProps<'button'>>
  children: ReactNode
  align?: 'start' | 'end'
}

/** A menu that is open at first. */
export function UsedMenu({ trigger, children, align = 'end' }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  // The button that was pressed has been replaced, and gets the focus back when the menu closes.
  return (
    <Base.Root modal={false} defaultOpen>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup
            finalFocus={button}
            className={
              'max-h-[70vh] min-w-44 overflow-y-auto ' +
              'rounded-md border border-line bg-surface p-1 shadow-lg outline-none'
            }
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const item =
  'flex w-full cursor-pointer select-none items-center gap-2 rounded px-2 py-1.5 ' +
  'outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-sunken'

type ItemProps = { children: ReactNode; onSelect: () => void; danger?: boolean; disabled?: boolean }

/** An action of a menu. */
export function MenuItem({ children, onSelect, danger = false, disabled = false }: ItemProps) {
  return (
    <Base.Item onClick={onSelect} disabled={disabled} className={classNames(item, danger && 'text-bad')}>
      {children}
    </Base.Item>
  )
}

/** A link of a menu. */
export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Base.Item className={item} render={<Link href={href} prefetch={false} />}>
      {children}
    </Base.Item>
  )
}

/** One of several values, of which one is chosen. */
export function MenuChoice({ children, chosen, onSelect }: Omit<ItemProps, 'danger'> & { chosen: boolean }) {
  return (
    <Base.RadioGroup value={chosen ? 'on' : 'off'}>
      <Base.RadioItem value="on" onClick={onSelect} className={item}>
        <span className="w-4">{chosen ? '✓' : ''}</span>
        {children}
      </Base.RadioItem>
    </Base.RadioGroup>
  )
}

export function MenuLine() {
  return <Base.Separator className="my-1 h-px bg-line" />
}

/** A heading within a menu. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return <div className="px-2 py-1 text-dim text-xs">{children}</div>
}
