/** The icon of every page of the API's origin. */
export const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#1f4fc4" d="M8 1l7 13H1z"/></svg>'

/** The same as an address, so that a page loads nothing for it. */
export const iconUrl = `data:image/svg+xml,${encodeURIComponent(iconSvg)}`
