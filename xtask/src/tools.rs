//! Finds the tools that a build needs besides cargo, and installs missing ones if possible.

use crate::{cmd, paths};
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// Waits until no other process of this program looks for tools or installs them. It holds until the file is dropped.
///
/// The steps of `cargo xtask test` are processes side by side, and several need the same tool. rustup and apt-get fail when
/// two of them install at the same time.
pub fn alone() -> Result<File> {
    let path = paths::target().join("xtask/install.lock");
    std::fs::create_dir_all(path.parent().expect("it is in a folder"))?;
    let file = File::create(&path)?;
    file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
    Ok(file)
}

/// Installs the standard library of a Rust target if it is missing.
pub fn target(name: &str) -> Result<()> {
    let _alone = alone()?;
    let sysroot = cmd::output(cmd::new("rustc").args(["--print", "sysroot"])).context("rustc does not run")?;
    if Path::new(&sysroot).join("lib/rustlib").join(name).join("lib").is_dir() {
        return Ok(());
    }
    cmd::run(cmd::new("rustup").args(["target", "add", name]))
        .with_context(|| format!("the Rust target {name} is missing: install it with `rustup target add {name}`"))
}

/// Installs a component of the Rust toolchain if `cargo <subcommand>` does not run.
pub fn component(name: &str, subcommand: &str) -> Result<()> {
    let _alone = alone()?;
    if cmd::output(cmd::cargo().args([subcommand, "--version"])).is_some() {
        return Ok(());
    }
    cmd::run(cmd::new("rustup").args(["component", "add", name]))
        .with_context(|| format!("{name} is missing: install it with `rustup component add {name}`"))
}

/// Checks that Node.js is installed and recent enough.
fn node() -> Result<()> {
    // Vite 8 needs `require()` of ES modules, which Node.js 20 supports from version 20.19 on.
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

/// Installs the packages of `package-lock.json` if they are missing or older than that file.
pub fn npm_packages() -> Result<()> {
    node()?;
    let _alone = alone()?;
    let modified = |path: &str| std::fs::metadata(paths::at(path)).and_then(|m| m.modified()).ok();
    // npm writes this file at the end of an installation.
    let installed: Option<SystemTime> = modified("node_modules/.package-lock.json");
    if installed.is_some() && installed >= modified("package-lock.json") {
        return Ok(());
    }
    println!("npm: installs the packages of package-lock.json");
    cmd::run(cmd::new("npm").args(["ci", "--no-fund", "--no-audit"]))
        .context("npm could not install the packages of package-lock.json")
}

/// A command that runs a script of an installed npm package with Node.js.
pub fn npm_script(script: &str) -> Command {
    let mut command = cmd::new("node");
    command.arg(paths::at("node_modules").join(script));
    command
}

/// The path of the browser for tests: `GGUF_CHROMIUM` if it is set, else an installed browser. If none is installed,
/// installs one. `None` stands for the browser that Playwright installs.
fn browser() -> Result<Option<PathBuf>> {
    if let Some(path) = std::env::var_os("GGUF_CHROMIUM").map(PathBuf::from) {
        if !path.is_file() {
            bail!("GGUF_CHROMIUM is {}, but there is no such file: set it to a Chromium or Chrome", path.display());
        }
        return Ok(Some(path));
    }
    let _alone = alone()?;
    if let Some(path) = installed_browser() {
        return Ok(Some(path));
    }
    // Not every distribution has the first package.
    for package in ["chromium-headless-shell", "chromium"] {
        if apt_install(&[package, "fonts-dejavu-core", "fonts-noto-color-emoji"]) {
            return installed_browser().map(Some).context("apt-get installed a browser, but it is not on the PATH");
        }
    }
    cmd::run(npm_script("@playwright/test/cli.js").args(["install", "chromium"])).context(
        "no browser for the browser tests: install Chromium or Chrome, or set GGUF_CHROMIUM to the path of one",
    )?;
    Ok(None)
}

/// Installs Debian packages if apt-get is available and no password is needed. Returns whether they were installed.
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

/// Installs the engines besides Chromium, each that is missing. If one cannot be installed, its tests say so.
pub fn engines() -> Result<()> {
    // The programs that tests/engines/engines.mjs looks for, one of each row, and the packages that have them.
    const PROGRAMS: [(&[&str], &[&str]); 3] = [
        (&["firefox-esr", "firefox"], &["firefox-esr"]),
        (&["WebKitWebDriver"], &["webkit2gtk-driver"]),
        (&["xvfb-run"], &["xvfb", "xauth"]),
    ];
    let _alone = alone()?;
    for (programs, packages) in PROGRAMS {
        if !programs.iter().any(|program| on_path(program).is_some()) {
            apt_install(packages);
        }
    }
    Ok(())
}

/// Sets `GGUF_CHROMIUM` for a script. Without the variable, the script starts Playwright's own browser.
pub fn with_browser(command: &mut Command) -> Result<&mut Command> {
    if let Some(path) = browser()? {
        command.env("GGUF_CHROMIUM", path);
    }
    Ok(command)
}

/// The first installed browser of this list. The headless shell is Chromium without windows: it starts a page in about
/// half the time.
fn installed_browser() -> Option<PathBuf> {
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        .into_iter()
        .find_map(on_path)
}

fn on_path(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

fn is_root() -> bool {
    cmd::output(cmd::new("id").arg("-u")).as_deref() == Some("0")
}
