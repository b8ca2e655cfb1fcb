//! A local HTTP server for static files. It supports GET, HEAD and range requests.
//!
//! The page reads files by range requests, so the server must answer them exactly. The small server crates on crates.io
//! leave range requests to the caller.

mod file;
mod range;
mod request;

use anyhow::{Context, Result};
use file::Root;
use request::Request;
use std::io::{self, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// A server that is bound to an address and serves one folder.
pub struct Server {
    listener: TcpListener,
    root: Root,
    headers: String,
}

impl Server {
    /// Binds a port of 127.0.0.1. Port 0 binds any free port. The server adds `headers` to every response: complete
    /// header lines that end in CRLF.
    pub fn bind(root: &Path, port: u16, headers: &str) -> Result<Self> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| format!("cannot listen on port {port}"))?;
        Ok(Self { listener, root: Root::new(root)?, headers: headers.to_owned() })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until the process ends. Each connection has a thread of its own and carries one request.
    pub fn run(&self) {
        thread::scope(|threads| {
            for stream in self.listener.incoming().flatten() {
                threads.spawn(move || {
                    // The browser may close the connection in the middle of a response. That is not an error.
                    let _ = self.answer(&stream);
                });
            }
        });
    }

    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.set_nodelay(true)?;
        let mut out = stream;
        match Request::read(&mut BufReader::new(stream)) {
            Ok(request) => self.root.answer(&request, &self.headers, &mut out)?,
            Err(status) => {
                write!(out, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n{}\r\n", self.headers)?
            }
        }
        out.flush()
    }
}
