//! `cargo xtask serve`: the app on a local address, with a model to look at.

use crate::args::Args;
use crate::http::Server;
use crate::{build, cmd, paths};
use anyhow::{Context, Result};
use std::process::{Command, Stdio};

/// The port unless one is asked for; when it is taken, any other.
const PORT: u16 = 4780;

/// What a host of the app has to send; the page works under it and needs no more.
const HEADERS: &str = "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
                       connect-src 'self' https: http: blob:\r\n";

pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let no_open = args.flag("--no-open");
    let port =
        args.option("--port")?.map(|port| port.parse().context("--port needs a number below 65536")).transpose()?;
    args.end()?;

    build::package()?;
    build::app()?;
    let dist = paths::at("www/dist");
    let server = match port {
        Some(port) => Server::bind(&dist, port, HEADERS)?,
        None => Server::bind(&dist, PORT, HEADERS).or_else(|_| Server::bind(&dist, 0, HEADERS))?,
    };
    let address = format!("http://{}/", server.address()?);
    println!("\n{address}");
    if !no_open {
        open(&format!("{address}#url=sample.gguf"));
    }
    server.run();
    Ok(())
}

/// Shows an address in the browser, where there is a desktop.
fn open(address: &str) {
    let mut command: Command = if cfg!(target_os = "macos") {
        cmd::new("open")
    } else if cfg!(windows) {
        cmd::new("explorer")
    } else if std::env::var_os("DISPLAY").or_else(|| std::env::var_os("WAYLAND_DISPLAY")).is_some() {
        cmd::new("xdg-open")
    } else {
        return;
    };
    // The address is on the screen; a browser that does not start is no error.
    let _ = command.arg(address).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
