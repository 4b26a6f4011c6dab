//! Ports, sockets, files, clocks and signals. Sees every stage; only `main` sees it.

pub mod cmd;
