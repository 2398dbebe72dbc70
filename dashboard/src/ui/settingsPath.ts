/** Address of the settings of an institution; it leads to `/settings` if that is the current one. */
export const settingsPath = (institutionId: string, tab = "") =>
  `/institutions/${institutionId}/settings${tab && `/${tab}`}`;
