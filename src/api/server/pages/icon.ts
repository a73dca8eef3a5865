/** The icon of every page of the API's origin. */
export const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="none" stroke="#1f4fc4" ' +
  'stroke-width="2.4" stroke-linecap="round" d="M13 3H5.5a2.5 2.5 0 0 0 0 5h5a2.5 2.5 0 0 1 0 5H3"/></svg>'

/** The same as an address, so that a page loads nothing for it. */
export const iconUrl = `data:image/svg+xml,${encodeURIComponent(iconSvg)}`
