// A note pad. Everybody may write notes; a file of them needs the feature "export".
import { writeFile } from "node:fs/promises";

import { app, BrowserWindow, dialog, ipcMain } from "electron";

import { hasFeature, openLicense } from "./licensing.js"; // licet

async function start() {
  const preload = `${import.meta.dirname}/preload.cjs`;
  const window = new BrowserWindow({ webPreferences: { preload } });
  ipcMain.handle("export", async (_event, notes) => {
    if (!hasFeature("export")) return "The license does not include exports."; // licet
    const { filePath } = await dialog.showSaveDialog(window, { defaultPath: "notes.txt" });
    if (!filePath) return "Nothing was written.";
    await writeFile(filePath, notes);
    return `The notes are in ${filePath}.`;
  });
  const tell = (message) => window.webContents.send("license", message); // licet
  ipcMain.handle("key", (_event, licenseKey) => openLicense(licenseKey, tell)); // licet
  await window.loadFile("window.html");
  await openLicense(null, tell); // licet
}

app.on("window-all-closed", () => app.quit());
void app.whenReady().then(start);
