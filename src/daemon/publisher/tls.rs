//! TLS to the broker: which certificates are trusted, which is shown, and what a failure means.

use std::path::{Path, PathBuf};

use rumqttc::{TlsConfiguration, Transport};

/// As `ca_file`: the certificates that the system trusts.
pub const SYSTEM: &str = "system";

/// Who is trusted, and who we are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// A file of certificates in PEM; `None`: those that the system trusts.
    pub ca_file: Option<PathBuf>,
    /// Our certificate and its key, in PEM, for a broker that asks.
    pub client: Option<(PathBuf, PathBuf)>,
}

impl Tls {
    /// How to connect; the files are read anew for each connection, so that they can be renewed.
    ///
    /// # Errors
    /// A file cannot be read, or is not what it should be; says which, never what is in it.
    pub fn transport(&self) -> Result<Transport, String> {
        let client = match &self.client {
            Some((cert, key)) => {
                Some((pem(cert, "client_cert", "CERTIFICATE")?, pem(key, "client_key", "PRIVATE KEY")?))
            }
            None => None,
        };
        let config = match &self.ca_file {
            Some(ca) => TlsConfiguration::Simple {
                ca: pem(ca, "ca_file", "CERTIFICATE")?,
                alpn: None,
                client_auth: client,
            },
            None => TlsConfiguration::try_default_rustls()
                .map_err(|error| format!("the system's certificates cannot be used: {error}"))?,
        };
        Ok(Transport::tls_with_config(config))
    }
}

/// A file that holds at least one block of this kind.
fn pem(path: &Path, key: &str, kind: &str) -> Result<Vec<u8>, String> {
    let place = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{key} {place} cannot be read: {error}"))?;
    let text = String::from_utf8_lossy(&bytes);
    if text.lines().any(|line| line.starts_with("-----BEGIN ") && line.contains(kind)) {
        Ok(bytes)
    } else {
        Err(format!("{key} {place} is no PEM file with a {}", kind.to_lowercase()))
    }
}

/// What a failure of TLS asks for, if it is one that people can mend.
pub(super) fn advice(error: &str) -> Option<&'static str> {
    let of: [(&str, &str); 7] = [
        ("UnknownIssuer", "its certificate is of an authority that ca_file does not have"),
        ("NotValidForName", "its certificate is for another name: give host as the certificate has it"),
        ("not valid for name", "its certificate is for another name: give host as the certificate has it"),
        ("xpired", "its certificate has expired: renew it, and see that this machine's clock is right"),
        ("CertificateRequired", "it asks for our certificate: set client_cert and client_key"),
        ("InvalidContentType", "it does not speak TLS at this port: use another port, or leave ca_file out"),
        ("TLS: I/O", "it breaks off before the connection is encrypted: does it speak TLS at this port?"),
    ];
    of.into_iter().find(|(word, _)| error.contains(word)).map(|(_, what)| what)
}
