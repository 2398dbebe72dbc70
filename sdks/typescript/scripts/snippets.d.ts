// The names that the snippets of the documentation take from the application around them.
declare const client: import("licet").LicenseClient;
declare const productId: string;
declare const publicKeys: string[];
declare const licenseKey: string;
declare const apiKey: string;
declare const serverBaseEndpoint: string;
declare const downloadsFolder: string;
declare const frameCount: number;
declare const chosenPath: string;
declare function runTheApplication(license: import("licet").OpenLicense): Promise<void>;
declare function showToUser(message: string): void;
declare function enableExport(): void;
declare function pauseTheWork(error?: Error): void;
declare function resumeTheWork(): void;
declare function show(share: number): void;
declare function save(key: string | null): void;
declare function askWhich(
  devices: readonly import("licet").Device[],
): Promise<import("licet").Device>;
declare function log(line: string): void;
declare function ProjectList(props: {
  limit: number;
  mayExport: boolean;
}): import("react").ReactElement;

declare module "electron" {
  const app: {
    getVersion(): string;
    on(event: "will-quit", listener: (event: { preventDefault(): void }) => void): void;
    quit(): void;
  };
  const ipcMain: { handle(channel: string, listener: () => unknown): void };
  class BrowserWindow {
    static getAllWindows(): BrowserWindow[];
    webContents: { send(channel: string, ...args: unknown[]): void };
  }
  const net: { fetch(url: string, init: RequestInit): Promise<Response> };
}
