/** What sessions need of a process. */

export { watchExit } from "./exit.js";
export { acquireInstance } from "./instance.js";
