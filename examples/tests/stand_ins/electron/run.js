// Starts an application as Electron does: it is ready only after its main module has run.
import { pathToFileURL } from "node:url";

import { ready } from "electron";

await import(pathToFileURL(process.argv[2]).href);
ready.resolve();
