/** A sort order as the API writes it: `name`, or `-createdAt` for newest first. */
export type Sort = string;

export const fieldOf = (sort: Sort): string => sort.replace(/^-/, "");
export const isDescending = (sort: Sort): boolean => sort.startsWith("-");

/** The order after a click on a column: ascending first, then the other way round. */
export const sortedBy = (field: string, now: Sort): Sort => (now === field ? `-${field}` : field);
