/** One piece of work after the other, in this process and in those that lock the same path. */

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(path: string, work: () => Promise<T>): Promise<T> {
    const locked = async () => (await import("./locks.js")).whileLocked(path, work);
    const done = this.#last.then(locked);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
