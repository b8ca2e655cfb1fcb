//! `cargo xtask serve`: serves the app and the sample model on a local port.

use crate::args::Args;
use crate::http::Server;
use crate::{build, cmd, paths};
use anyhow::{Context, Result};
use std::fs;
use std::process::{Command, Stdio};

/// The default port. If it is in use, the server binds any free port.
const PORT: u16 = 4780;

pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let no_open = args.flag("--no-open");
    let port =
        args.option("--port")?.map(|port| port.parse().context("--port needs a number from 0 to 65535")).transpose()?;
    args.end()?;

    build::package()?;
    build::app()?;
    let dist = paths::at("www/dist");
    let headers = headers(&fs::read_to_string(dist.join("index.html"))?)?;
    let server = match port {
        Some(port) => Server::bind(&dist, port, &headers)?,
        None => Server::bind(&dist, PORT, &headers).or_else(|_| Server::bind(&dist, 0, &headers))?,
    };
    let address = format!("http://{}/", server.address()?);
    let sample = format!("{address}#url=sample.gguf");
    println!("\nThe viewer: {address}\nThe sample: {sample}");
    if !no_open {
        open(&sample);
    }
    server.run();
    Ok(())
}

/// The headers of every response: the Content-Security-Policy of the page, plus `frame-ancestors`, which browsers accept
/// only in a header.
fn headers(page: &str) -> Result<String> {
    let policy = page
        .split_once("http-equiv=\"Content-Security-Policy\"")
        .and_then(|(_, rest)| rest.trim_start().strip_prefix("content=\"")?.split_once('"'))
        .map(|(policy, _)| policy.split_whitespace().collect::<Vec<_>>().join(" "))
        .context("the page has no Content-Security-Policy")?;
    Ok(format!("Content-Security-Policy: {policy}; frame-ancestors 'none'\r\n"))
}

/// Opens an address in the browser if the machine has a desktop.
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
    // The address is printed, so the user can open it by hand if the browser does not start.
    let _ = command.arg(address).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_the_policy_of_the_page() {
        let page = "<meta\n  http-equiv=\"Content-Security-Policy\"\n  content=\"default-src 'self';\n    a b\"\n/>";
        let expected = "Content-Security-Policy: default-src 'self'; a b; frame-ancestors 'none'\r\n";
        assert_eq!(headers(page).unwrap(), expected);
        assert!(headers("<title>none</title>").is_err());
    }

    #[test]
    fn the_page_has_a_policy() {
        let page = fs::read_to_string(paths::at("www/index.html")).unwrap();
        assert!(headers(&page).unwrap().starts_with("Content-Security-Policy: default-src 'self'; "));
    }
}
