'use client'
/**
 * A button that opens a menu of actions and links. What makes it a menu is loaded when it is needed, not with
 * the page.
 */
import { cloneElement, type KeyboardEvent, lazy, Suspense, useState } from 'react'
import type { MenuProps } from './menu-parts'

const parts = () => import('./menu-parts')
const UsedMenu = lazy(() => parts().then((module) => ({ default: module.UsedMenu })))

export const MenuItem = lazy(() => parts().then((module) => ({ default: module.MenuItem })))
export const MenuLink = lazy(() => parts().then((module) => ({ default: module.MenuLink })))
export const MenuChoice = lazy(() => parts().then((module) => ({ default: module.MenuChoice })))
export const MenuLine = lazy(() => parts().then((module) => ({ default: module.MenuLine })))
export const MenuHeading = lazy(() => parts().then((module) => ({ default: module.MenuHeading })))

export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const [isUsed, setUsed] = useState(false)
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: parts,
    onFocus: parts,
    onClick: () => setUsed(true),
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      setUsed(true)
    },
  })
  if (!isUsed) return button
  return (
    <Suspense fallback={button}>
      <UsedMenu trigger={trigger} align={align}>
        {children}
      </UsedMenu>
    </Suspense>
  )
}
