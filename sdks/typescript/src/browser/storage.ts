/** Small files in IndexedDB, which other pages of the same origin share. */

import type { Bytes } from "../core/bytes.js";
import type { Files } from "../core/platform.js";

const DATABASE = "licet";
const STORE = "files";
/** Other pages can occupy the database for as long as they like. */
const PATIENCE_MS = 5_000;

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => {
      const { result } = request;
      // The user clears the data of the site, or another page deletes it.
      result.onclose = result.onversionchange = () => {
        result.close();
        opened = null;
      };
      opened = Promise.resolve(result);
      resolve(result);
    };
    request.onerror = () => {
      opened = null;
      reject(request.error ?? new Error("IndexedDB failed"));
    };
    setTimeout(reject, PATIENCE_MS, new Error("another page occupies it"));
  });
  return opened;
}

/** Runs one request of a transaction to its end. */
async function inStore<T>(
  mode: IDBTransactionMode,
  action: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const transaction = (await database()).transaction(STORE, mode);
  const request = action(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new Error("the store is full"));
  });
}

export function readValue(name: string): Promise<unknown> {
  return inStore("readonly", (store) => store.get(name));
}

export async function writeValue(name: string, value: unknown): Promise<void> {
  await inStore("readwrite", (store) => store.put(value, name));
}

/** Stores a value unless there is one; returns the one that is stored then. */
export async function storedOr(name: string, value: unknown): Promise<unknown> {
  // A transaction that adds what is there fails, so only one of two tabs succeeds.
  await inStore("readwrite", (store) => store.add(value, name)).catch(() => undefined);
  return readValue(name);
}

export const STORED_FILES: Files = {
  async read(path, limit) {
    const value = await readValue(path);
    if (!(value instanceof Uint8Array)) return null;
    if (value.length > limit) throw new Error(`larger than ${limit} bytes`);
    return value as Bytes;
  },
  write: (path, content) => writeValue(path, content),
};
