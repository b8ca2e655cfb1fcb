// Drives the WebKitGTK of a distribution by WebDriver, the classic protocol: a command is a request with JSON.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { listen } from "../../support/file-server.mjs";

/** @typedef {import("./driver.mjs").Driver} Driver */

/** The name of the member that holds the id of an element. The standard defines it. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** @type {Record<string, string>} The characters that stand for keys. */
const KEYS = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Delete: "\uE017",
};

/** The window's content in CSS pixels. */
const SIZE = { width: 1280, height: 900 };

/**
 * @param {string} downloads The folder for downloaded files.
 * @returns {Promise<Driver>}
 */
export async function startWebKit(downloads) {
  const port = await freePort();
  // A screen of its own: the browser has no mode without windows.
  const stop = start(
    "xvfb-run",
    ["--auto-servernum", "--server-args=-screen 0 1600x1200x24", "WebKitWebDriver", `--port=${port}`],
    { ...process.env, HOME: downloads, XDG_DOWNLOAD_DIR: downloads },
  );
  try {
    return await drive(`http://127.0.0.1:${port}/session`, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {string} driver
 * @param {() => Promise<void>} stop
 * @returns {Promise<Driver>}
 */
async function drive(driver, stop) {
  const { sessionId } = await command("POST", driver, { capabilities: {} });
  const send = (/** @type {string} */ path, /** @type {object} */ parameters, method = "POST") =>
    command(method, `${driver}/${sessionId}/${path}`, parameters);
  await send("timeouts", { script: 120_000 });

  /** @param {string} source @param {unknown} argument */
  const run = async (source, argument) => {
    const script = `const [argument, done] = arguments;
      Promise.resolve(argument).then(${source}).then((value) => done({ value }), (error) => done({ error: String(error) + "\\n" + error?.stack }));`;
    const { value, error } = await send("execute/async", { script, args: [argument] });
    if (error !== undefined) throw new Error(error);
    return value;
  };
  const act = (/** @type {object[]} */ ...actions) => send("actions", { actions });
  const pointer = (/** @type {object[]} */ ...actions) =>
    act({ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions });
  const keyboard = (/** @type {object[]} */ ...actions) => act({ type: "key", id: "keyboard", actions });
  const move = (/** @type {number} */ x, /** @type {number} */ y) => ({
    type: "pointerMove",
    duration: 0,
    origin: "viewport",
    x: Math.round(x),
    y: Math.round(y),
  });
  const down = (/** @type {string} */ value) => ({ type: "keyDown", value });
  const up = (/** @type {string} */ value) => ({ type: "keyUp", value });

  const resize = async (/** @type {number} */ width, /** @type {number} */ height) => {
    // The window is larger than its content.
    const size = /** @type {{ width: number, height: number }} */ (
      await run("() => ({ width: outerWidth - innerWidth, height: outerHeight - innerHeight })", null)
    );
    await send("window/rect", { x: 0, y: 0, width: width + size.width, height: height + size.height });
  };
  await resize(SIZE.width, SIZE.height);
  return {
    problems: [],
    async go(url) {
      await send("url", { url });
      // The browser takes some of the height for a message after a download.
      if (url !== "about:blank" && (await run("() => innerHeight", null)) !== SIZE.height)
        await resize(SIZE.width, SIZE.height);
    },
    run,
    click: (x, y) => pointer(move(x, y), { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }),
    move: (x, y) => pointer(move(x, y)),
    press: (names) => {
      const keys = names.map((name) => KEYS[name] ?? name);
      return keyboard(...keys.map(down), ...keys.toReversed().map(up));
    },
    type: (text) =>
      keyboard(
        ...[...text].flatMap((character) => {
          const key = character === "\n" ? String(KEYS["Enter"]) : character;
          return [down(key), up(key)];
        }),
      ),
    async choose(source, argument, paths) {
      const script = `const [argument, done] = arguments; Promise.resolve(argument).then(${source}).then(done);`;
      const input = await send("execute/async", { script, args: [argument] });
      await send(`element/${input[ELEMENT]}/value`, { text: paths.join("\n") });
    },
    resize,
    async screenshot(path) {
      await writeFile(path, Buffer.from(await send("screenshot", {}, "GET"), "base64"));
    },
    close: () => command("DELETE", `${driver}/${sessionId}`).finally(stop),
  };
}

/**
 * A command of WebDriver. The first is repeated until the driver listens.
 *
 * @param {string} method
 * @param {string} url
 * @param {object} [parameters]
 */
async function command(method, url, parameters) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await fetch(url, { method, ...(method === "POST" ? { body: JSON.stringify(parameters) } : {}) });
      const { value } = /** @type {any} */ (await response.json());
      if (!response.ok) throw new Error(`${url}: ${value.error}: ${value.message}`);
      return value;
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === 600) throw error;
      await new Promise((waited) => setTimeout(waited, 100));
    }
  }
}

async function freePort() {
  const server = await listen(() => {});
  await server.close();
  return new URL(server.origin).port;
}

/**
 * @param {string} program
 * @param {string[]} parameters
 * @param {NodeJS.ProcessEnv} env
 * @returns What stops the program and all that it has started.
 */
function start(program, parameters, env) {
  const child = spawn(program, parameters, { stdio: "ignore", detached: true, env });
  const ended = once(child, "exit");
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
  };
  // The programs are in a group of their own, so they would outlive a test run that is stopped.
  const onSignal = () => {
    stop();
    process.exit(1);
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM"]);
  for (const signal of signals) process.once(signal, onSignal);
  return async () => {
    for (const signal of signals) process.off(signal, onSignal);
    stop();
    await ended;
  };
}
