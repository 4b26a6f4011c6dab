//! Where messages go: `[broker]`.

use std::net::SocketAddr;
use std::ops::Range;

use super::{Found, Section, Walk};
use crate::daemon::config::environment::Password;
use crate::daemon::config::{Broker, MQTT_PORT, MQTTS_PORT};
use crate::daemon::publisher::{SYSTEM, Tls};

impl Walk<'_> {
    pub(super) fn broker(&mut self, section: &Section<'_>) -> Option<Broker> {
        let host = self.text(section, "host");
        let port = self.number(section, "port", 0, u32::from(u16::MAX));
        let port_at = port.as_ref().map_or(section.at.clone(), |port| port.at.clone());
        let tls = self.tls(section);
        let default = if tls.is_some() { MQTTS_PORT } else { MQTT_PORT };
        let port = port.map_or(default, |port| u16::try_from(port.value).unwrap_or(default));
        let user = self.text(section, "user");
        let file = self.text(section, "password_file");
        if section.has("listen") {
            return self.listening(section);
        }
        let Some(host) = host else {
            let ca = self.text(section, "ca_file");
            for (found, key) in [(&user, "user"), (&file, "password_file"), (&ca, "ca_file")] {
                if let Some(found) = found {
                    let hint = "add host, or leave it out for the embedded broker on loopback";
                    self.wrong(&found.at, format!("{key} is given without host"), hint.to_owned());
                }
            }
            return if section.has("host") { None } else { self.embedded(&section.at, port) };
        };
        if host.value.is_empty() {
            self.wrong(&host.at, "host is empty", "a host name or an address".to_owned());
        }
        // Without the value: it may hold a password, and a host is part of every error.
        if host.value.contains(['/', '@']) {
            let hint = "a host name or an address alone; port, user and password have places of their own";
            self.wrong(&host.at, "host is no host name", hint.to_owned());
        }
        if port == 0 {
            self.wrong(&port_at, "port 0 is for the embedded broker only", "allowed: 1 to 65535".to_owned());
        }
        let user = self.environment.user().or_else(|| user.map(|user| user.value));
        let file_at = file.as_ref().map(|file| file.at.clone());
        let file = file.map(|file| Password::File(self.home.join(file.value)));
        let password = self.environment.password().or(file);
        if let Some(password) = &password {
            // What is not in the file has no place in it.
            let at = file_at.unwrap_or(section.at.clone());
            if let Err(why) = password.read() {
                self.wrong(&at, why, None);
            }
            if user.is_none() {
                self.wrong(&at, format!("{} is given without user", name(password)), "add user".to_owned());
            }
        }
        Some(Broker::Remote { host: host.value, port, user, password, tls })
    }

    /// A broker of our own that others can reach: nobody gets in without a password.
    fn listening(&mut self, section: &Section<'_>) -> Option<Broker> {
        let listen = self.listen(section)?;
        for key in ["host", "port", "ca_file"] {
            if section.has(key) {
                let hint = "leave one of them out: listen is for a broker of our own".to_owned();
                self.wrong(&section.at, format!("{key} and listen are both given"), hint);
            }
        }
        let user = self.environment.user().or_else(|| self.text(section, "user").map(|user| user.value));
        let file = self.text(section, "password_file");
        let file = file.map(|file| Password::File(self.home.join(file.value)));
        let (Some(user), Some(password)) = (user, self.environment.password().or(file)) else {
            let hint =
                "add user and password_file: who can reach the broker must not read what arbiters read";
            self.wrong(&section.at, "listen is given without user and password", hint.to_owned());
            return None;
        };
        if let Err(why) = password.read() {
            self.wrong(&section.at, why, None);
        }
        Some(Broker::Listening { listen, user, password })
    }

    /// `ca_file`, and our own certificate with its key.
    fn tls(&mut self, section: &Section<'_>) -> Option<Tls> {
        let ca = self.text(section, "ca_file");
        let (cert, key) = (self.text(section, "client_cert"), self.text(section, "client_key"));
        let path = |found: &Found<String>| self.home.join(&found.value);
        let client = match (&cert, &key) {
            (Some(cert), Some(key)) => Some((path(cert), path(key))),
            (Some(one), None) | (None, Some(one)) => {
                let hint = "a certificate and its key, each in a file of its own".to_owned();
                self.wrong(&one.at, "client_cert and client_key go together", hint);
                None
            }
            (None, None) => None,
        };
        let Some(ca) = ca else {
            if let Some(given) = cert.or(key) {
                let hint = format!("ca_file = \"…\", or \"{SYSTEM}\" for those that the system trusts");
                self.wrong(&given.at, "client_cert is given without ca_file", hint);
            }
            return None;
        };
        let ca_file = (ca.value != SYSTEM).then(|| self.home.join(&ca.value));
        if ca_file.is_none() && client.is_some() {
            let hint = "name the file of the broker's authority in ca_file".to_owned();
            self.wrong(&ca.at, "client_cert does not go with the system's certificates", hint);
        }
        let tls = Tls { ca_file, client };
        if let Err(why) = tls.transport() {
            self.wrong(&ca.at, why, None);
        }
        Some(tls)
    }

    /// `listen`: an address with its port.
    pub(super) fn listen(&mut self, section: &Section<'_>) -> Option<SocketAddr> {
        let Some(given) = self.text(section, "listen") else {
            if !section.has("listen") {
                self.missing(section, "listen", "listen = \"127.0.0.1:9190\"");
            }
            return None;
        };
        let address = given.value.parse().ok();
        if address.is_none() {
            let message = format!("listen is \"{}\"", given.value.escape_debug());
            self.wrong(&given.at, message, "an address and a port, as \"127.0.0.1:9190\"".to_owned());
        }
        address
    }

    pub(super) fn embedded(&mut self, at: &Range<usize>, port: u16) -> Option<Broker> {
        if cfg!(not(feature = "embedded-broker")) {
            let hint = "add [broker] with host: this program was built without the embedded broker";
            self.wrong(at, "no broker is given", hint.to_owned());
            return None;
        }
        Some(Broker::Embedded { port })
    }
}

fn name(password: &Password) -> String {
    match password {
        Password::File(_) => "password_file".to_owned(),
        _ => password.place(),
    }
}
