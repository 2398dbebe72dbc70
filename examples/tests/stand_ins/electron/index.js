// As much of Electron's main process as the example uses, for Node. What a window would ask comes as lines of JSON on
// standard input, and what a window would be told goes as lines to standard output.
import { EventEmitter } from "node:events";
import { createInterface } from "node:readline";

const print = (line) => console.log(JSON.stringify(line));
const handlers = new Map();

export const ready = Promise.withResolvers();

class App extends EventEmitter {
  getVersion = () => "1.0.0";
  whenReady = () => ready.promise;

  quit() {
    let prevented = false;
    this.emit("will-quit", { preventDefault: () => (prevented = true) });
    if (!prevented) process.exit(0);
  }
}

export const app = new App();
export const net = { fetch };
export const dialog = { showSaveDialog: async () => ({ filePath: process.env.SAVE_AS ?? "" }) };
export const ipcMain = { handle: (channel, handler) => handlers.set(channel, handler) };

export class BrowserWindow {
  webContents = { send: (channel, ...values) => print({ [channel]: values }) };
  loadFile = async (file) => print({ shown: file });
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { close, invoke, args } = JSON.parse(line);
  if (close) app.emit("window-all-closed");
  else print({ answer: (await handlers.get(invoke)({}, ...args)) ?? null });
});
