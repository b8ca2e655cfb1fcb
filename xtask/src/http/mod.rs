//! A server of static files for one machine: GET and HEAD, ranges, nothing else.
//!
//! It is written here because it is small, and because a page that reads files by range is only tested by a server that
//! answers ranges exactly; the small servers of crates.io leave that part to their caller.

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

/// A bound address, and the folder that is served there.
pub struct Server {
    listener: TcpListener,
    root: Root,
    headers: String,
}

impl Server {
    /// Binds a port of 127.0.0.1; 0 takes any. Every answer carries `headers`, whole lines that end in CRLF.
    pub fn bind(root: &Path, port: u16, headers: &str) -> Result<Self> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| format!("cannot listen on port {port}"))?;
        Ok(Self { listener, root: Root::new(root)?, headers: headers.to_owned() })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until the process ends; a thread for each connection, a connection for each request.
    pub fn run(&self) {
        thread::scope(|threads| {
            for stream in self.listener.incoming().flatten() {
                threads.spawn(move || {
                    // A page that goes away in the middle of an answer is no event.
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
