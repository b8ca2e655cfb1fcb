//! `cargo xtask serve`: the app on a local address, with a model to look at.

use crate::args::Args;
use crate::http::Server;
use crate::{build, cmd, paths};
use anyhow::{Context, Result};
use std::fs;
use std::process::{Command, Stdio};

/// The port unless one is asked for; when it is taken, any other.
const PORT: u16 = 4780;

pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let no_open = args.flag("--no-open");
    let port =
        args.option("--port")?.map(|port| port.parse().context("--port needs a number below 65536")).transpose()?;
    args.end()?;

    build::package(build::Modules::Shipped)?;
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

/// What is sent with every file: the policy of the page, and what browsers take from a header only.
fn headers(page: &str) -> Result<String> {
    let policy = page
        .split_once("http-equiv=\"Content-Security-Policy\"")
        .and_then(|(_, rest)| rest.trim_start().strip_prefix("content=\"")?.split_once('"'))
        .map(|(policy, _)| policy.split_whitespace().collect::<Vec<_>>().join(" "))
        .context("the page has no Content-Security-Policy")?;
    Ok(format!("Content-Security-Policy: {policy}; frame-ancestors 'none'\r\n"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_is_that_of_the_page() {
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
