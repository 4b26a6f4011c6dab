//! A wire between a client and a broker that can be cut, held up, or cut at a certain word.
// Each test program uses a part of this.
#![allow(dead_code)]

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How soon a thread notices that something is wanted of it.
const NOTICES: Duration = Duration::from_millis(2);

#[derive(Default)]
struct Wire {
    /// No connection is made.
    away: AtomicBool,
    /// Nothing is passed on, and nothing is read either.
    stalled: AtomicBool,
    ended: AtomicBool,
    /// What is waited for in what the client says.
    trap: Mutex<Vec<&'static str>>,
    sprung: AtomicBool,
    links: Mutex<Vec<TcpStream>>,
}

pub(crate) struct Proxy {
    pub(crate) port: u16,
    wire: Arc<Wire>,
}

impl Proxy {
    pub(crate) fn to(broker: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let wire = Arc::<Wire>::default();
        let accepting = wire.clone();
        std::thread::spawn(move || accept(&listener, broker, &accepting));
        Proxy { port, wire }
    }

    /// Ends all connections in the middle of whatever is said.
    pub(crate) fn cut(&self) {
        for link in self.wire.links.lock().unwrap().drain(..) {
            let _ = link.shutdown(Shutdown::Both);
        }
    }

    /// Whether connections are refused.
    pub(crate) fn away(&self, away: bool) {
        self.wire.away.store(away, Ordering::SeqCst);
        if away {
            self.cut();
        }
    }

    /// Whether it stands still, with all connections open.
    pub(crate) fn stall(&self, stalled: bool) {
        self.wire.stalled.store(stalled, Ordering::SeqCst);
    }

    /// Once the client says one of these words, neither that nor anything after it is passed on.
    pub(crate) fn trap(&self, words: &[&'static str]) {
        self.wire.sprung.store(false, Ordering::SeqCst);
        *self.wire.trap.lock().unwrap() = words.to_vec();
    }

    /// Whether it has said one.
    pub(crate) fn is_sprung(&self) -> bool {
        self.wire.sprung.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.wire.ended.store(true, Ordering::SeqCst);
        self.cut();
        // Wakes the one that accepts.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn accept(listener: &TcpListener, broker: u16, wire: &Arc<Wire>) {
    for client in listener.incoming().map_while(Result::ok) {
        if wire.ended.load(Ordering::SeqCst) {
            return;
        }
        if wire.away.load(Ordering::SeqCst) {
            continue;
        }
        let Ok(server) = TcpStream::connect(("127.0.0.1", broker)) else { continue };
        let both = [(&client, &server, true), (&server, &client, false)];
        for (from, to, of_client) in both {
            let (from, to, wire) = (from.try_clone().unwrap(), to.try_clone().unwrap(), wire.clone());
            let _ = from.set_nodelay(true);
            std::thread::spawn(move || pump(from, to, of_client, &wire));
        }
        wire.links.lock().unwrap().extend([client, server]);
    }
}

fn pump(mut from: TcpStream, mut to: TcpStream, of_client: bool, wire: &Wire) {
    let mut buffer = [0; 4096];
    loop {
        while wire.stalled.load(Ordering::SeqCst) && !wire.ended.load(Ordering::SeqCst) {
            std::thread::sleep(NOTICES);
        }
        let Ok(n) = from.read(&mut buffer) else { break };
        if n == 0 {
            break;
        }
        if of_client && springs(&buffer[..n], wire) {
            // Said into nothing until somebody cuts it or the client is gone.
            while from.read(&mut buffer).is_ok_and(|n| n > 0) {}
            break;
        }
        if to.write_all(&buffer[..n]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

/// Whether one of the words is there; then the trap is gone.
fn springs(said: &[u8], wire: &Wire) -> bool {
    let mut trap = wire.trap.lock().unwrap();
    let has = |word: &&str| said.windows(word.len()).any(|part| part == word.as_bytes());
    let sprung = trap.iter().any(has);
    if sprung {
        trap.clear();
        wire.sprung.store(true, Ordering::SeqCst);
    }
    sprung
}
