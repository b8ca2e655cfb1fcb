//! `cargo xtask serve`: builds the app, and serves it with Vite, as `preview` in `www/vite.config.ts` says.

use crate::args::Args;
use crate::{build, cmd, paths, tools};
use anyhow::Result;

pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let no_open = args.flag("--no-open");
    let port = args.option("--port")?;
    args.end()?;
    build::package()?;
    build::app()?;
    let mut vite = tools::npm_script("vite/bin/vite.js");
    vite.arg("preview").arg(paths::at("www"));
    if let Some(port) = &port {
        vite.args(["--port", port, "--strictPort"]);
    }
    let has_desktop = !cfg!(target_os = "linux")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if has_desktop && !no_open {
        vite.args(["--open", "/#url=sample.gguf"]);
    }
    println!("The sample is at the address with #url=sample.gguf");
    cmd::run(&mut vite)
}
