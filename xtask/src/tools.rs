//! What a build needs beyond cargo: looked for, and installed where that can be done.

use crate::{cmd, paths};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// The standard library for a target of the compiler.
pub fn target(name: &str) -> Result<()> {
    let sysroot = cmd::output(cmd::new("rustc").args(["--print", "sysroot"])).context("rustc does not run")?;
    if Path::new(&sysroot).join("lib/rustlib").join(name).join("lib").is_dir() {
        return Ok(());
    }
    cmd::run(cmd::new("rustup").args(["target", "add", name]))
        .with_context(|| format!("the Rust target {name} is missing: install it with `rustup target add {name}`"))
}

/// A component of the toolchain that cargo runs as `cargo <subcommand>`.
pub fn component(name: &str, subcommand: &str) -> Result<()> {
    if cmd::output(cmd::cargo().args([subcommand, "--version"])).is_some() {
        return Ok(());
    }
    cmd::run(cmd::new("rustup").args(["component", "add", name]))
        .with_context(|| format!("{name} is missing: install it with `rustup component add {name}`"))
}

/// Node.js, recent enough for everything that runs in it.
fn node() -> Result<()> {
    // Vite 8 needs `require(esm)`, which Node 20 has from 20.19 on.
    const OLDEST: (u32, u32) = (20, 19);
    let Some(version) = cmd::output(cmd::new("node").arg("--version")) else {
        bail!("Node.js is missing: install version {} or newer from https://nodejs.org", OLDEST.0);
    };
    let mut numbers = version.trim_start_matches('v').split('.').map(|n| n.parse().unwrap_or(0));
    if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < OLDEST {
        bail!("Node.js {version} is too old: install {}.{} or newer from https://nodejs.org", OLDEST.0, OLDEST.1);
    }
    Ok(())
}

/// The packages of `package-lock.json`.
pub fn npm_packages() -> Result<()> {
    node()?;
    let modified = |path: &str| std::fs::metadata(paths::at(path)).and_then(|m| m.modified()).ok();
    // npm writes this file last, when everything is in place.
    let installed: Option<SystemTime> = modified("node_modules/.package-lock.json");
    if installed.is_some() && installed >= modified("package-lock.json") {
        return Ok(());
    }
    cmd::run(cmd::new("npm").args(["ci", "--no-fund", "--no-audit"])).context("the npm packages are not installed")
}

/// A script of an installed npm package, run with Node.js.
pub fn npm_script(script: &str) -> Command {
    let mut command = cmd::new("node");
    command.arg(paths::at("node_modules").join(script));
    command
}

/// A browser for tests: the one that the environment names, one on the machine, or one installed now. `None` is the one
/// that Playwright brings.
fn browser() -> Result<Option<PathBuf>> {
    if let Some(path) = std::env::var_os("GGUF_CHROMIUM").map(PathBuf::from) {
        if !path.is_file() {
            bail!("GGUF_CHROMIUM is {}, which is no file", path.display());
        }
        return Ok(Some(path));
    }
    if let Some(path) = installed_browser() {
        return Ok(Some(path));
    }
    if apt_install(&["chromium", "fonts-dejavu-core", "fonts-noto-color-emoji"]) {
        return installed_browser().map(Some).context("apt-get installed chromium, but it is not on the PATH");
    }
    cmd::run(npm_script("@playwright/test/cli.js").args(["install", "chromium"])).context(
        "no browser for the browser tests: install Chromium or Chrome, or set GGUF_CHROMIUM to the path of one",
    )?;
    Ok(None)
}

/// Installs packages of Debian's where that can be done without asking; whether it did.
pub fn apt_install(packages: &[&str]) -> bool {
    if !is_root() || on_path("apt-get").is_none() {
        return false;
    }
    eprintln!("installing {} with apt-get", packages.join(", "));
    let apt = |args: &[&str]| {
        cmd::run(cmd::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
    };
    apt(&["update", "-qq"])
        .and_then(|()| apt(&[&["install", "-y", "-qq", "--no-install-recommends"][..], packages].concat()))
        .is_ok()
}

/// Tells a script which browser to start; without the variable it starts Playwright's own.
pub fn with_browser(command: &mut Command) -> Result<&mut Command> {
    if let Some(path) = browser()? {
        command.env("GGUF_CHROMIUM", path);
    }
    Ok(command)
}

fn installed_browser() -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].into_iter().find_map(on_path)
}

fn on_path(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

fn is_root() -> bool {
    cmd::output(cmd::new("id").arg("-u")).as_deref() == Some("0")
}
