/** The directory on every host that is the platform's own, without a leading slash: no site has it. */
export const platformDirectory = '.well-known/svc'
