/** How the keyboard of this device names its keys. */

/** Whether the keyboard has ⌘ in place of Ctrl. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** Keys as this keyboard names them: "Mod+K" is "⌘ K" or "Ctrl + K". */
export function keyText(keys: string, mac = isMac()): string {
  const parts = keys.split("+");
  if (mac) return parts.map((part) => (part === "Mod" ? "⌘" : part === "Shift" ? "⇧" : part)).join(" ");
  return parts.map((part) => (part === "Mod" ? "Ctrl" : part)).join(" + ");
}
