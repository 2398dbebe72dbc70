/** One piece of work after the other, in this process and in those that use the same file. */

import { inRealFolder } from "./ownership.js";

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(path: string, work: () => Promise<T>): Promise<T> {
    const locked = async () => {
      // Other processes may have come to the file by a link.
      const real = await inRealFolder(path).catch(() => path);
      return (await import("./locks.js")).whileLocked(real, work);
    };
    const done = this.#last.then(locked);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
