//! What is plugged in: serial ports by sysfs, polled, since events of udev do not reach containers.
//!
//! Nothing here opens a port, so looking disturbs no device. Roots of `/sys` and `/dev` are given, so
//! that a made-up tree can be looked at.

mod ask;
mod find;

use std::path::{Path, PathBuf};

pub use ask::{Identity, ask};
pub use find::{Ports, Taken};

/// USB vendors of the adapters that boards have: DGT's own boards (Microchip), FTDI, Renesas, Silicon
/// Labs, WCH, Prolific. The udev rule names the same. Other devices on the bus (modems, printers,
/// sensors) may not like a question, so by default only these are asked.
pub const VENDORS: [&str; 6] = ["04d8", "0403", "045b", "10c4", "1a86", "067b"];

/// Where ports of boards are by default. Bluetooth ports (`/dev/rfcomm*`) are not: opening one calls
/// the device, and that takes seconds.
pub const LOOK_IN: [&str; 2] = ["/dev/ttyUSB*", "/dev/ttyACM*"];

/// The roots of the host's trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// `/sys`
    pub sys: PathBuf,
    /// `/dev`
    pub dev: PathBuf,
}

impl Default for Host {
    fn default() -> Self {
        Host { sys: PathBuf::from("/sys"), dev: PathBuf::from("/dev") }
    }
}

/// The USB device that a port belongs to; every text as the device says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Adapter {
    /// Vendor, four hex digits.
    pub vendor_id: String,
    /// Product, four hex digits.
    pub product_id: String,
    /// The maker's name.
    pub manufacturer: Option<String>,
    /// The product's name.
    pub product: Option<String>,
    /// The adapter's serial number, which is not the board's.
    pub serial: Option<String>,
}

impl Adapter {
    /// Whether boards have adapters of this vendor.
    #[must_use]
    pub fn is_of_boards(&self) -> bool {
        VENDORS.contains(&self.vendor_id.as_str())
    }
}

/// A serial port that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugged {
    /// Its path.
    pub port: PathBuf,
    /// The USB device it belongs to.
    pub adapter: Option<Adapter>,
    /// Names that stay the same when it is plugged in again.
    pub names: Vec<PathBuf>,
}

impl Host {
    /// The serial ports that belong to USB devices, by name.
    #[must_use]
    pub fn plugged(&self) -> Vec<Plugged> {
        let Ok(entries) = std::fs::read_dir(self.sys.join("class/tty")) else { return Vec::new() };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let ports = names.filter_map(|name| {
            let port = self.dev.join(&name);
            let adapter = self.adapter_of(&name)?;
            Some(Plugged { names: self.lasting_names(&port), port, adapter: Some(adapter) })
        });
        let mut ports: Vec<Plugged> = ports.collect();
        ports.sort_by_key(|plugged| order(&plugged.port));
        ports
    }

    /// The USB device that a port belongs to; `None` if it belongs to none.
    #[must_use]
    pub fn adapter(&self, port: &Path) -> Option<Adapter> {
        self.adapter_of(device(port).file_name()?.to_str()?)
    }

    fn adapter_of(&self, tty: &str) -> Option<Adapter> {
        let device = self.sys.join("class/tty").join(tty).join("device").canonicalize().ok()?;
        let usb = device.ancestors().find(|dir| dir.join("idVendor").is_file())?;
        let text = |file: &str| {
            let text = std::fs::read_to_string(usb.join(file)).ok()?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        Some(Adapter {
            vendor_id: text("idVendor")?.to_ascii_lowercase(),
            product_id: text("idProduct").unwrap_or_default().to_ascii_lowercase(),
            manufacturer: text("manufacturer"),
            product: text("product"),
            serial: text("serial"),
        })
    }

    fn lasting_names(&self, port: &Path) -> Vec<PathBuf> {
        let dirs = [self.dev.join("chessboard"), self.dev.join("serial/by-id")];
        let entries = dirs.iter().filter_map(|dir| std::fs::read_dir(dir).ok()).flatten();
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let device = device(port);
        let mut names: Vec<PathBuf> = paths.filter(|path| self::device(path) == device).collect();
        names.sort();
        names
    }
}

/// The device behind a name, which may be a link to it.
#[must_use]
pub fn device(port: &Path) -> PathBuf {
    port.canonicalize().unwrap_or_else(|_| port.to_owned())
}

/// The paths that are there for a pattern: `*` stands for anything in the last part.
#[must_use]
pub fn expand(pattern: &str) -> Vec<PathBuf> {
    let path = Path::new(pattern);
    let (Some(dir), Some(wanted)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Vec::new();
    };
    if !wanted.contains('*') {
        return if path.exists() { vec![path.to_owned()] } else { Vec::new() };
    }
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut paths: Vec<PathBuf> =
        names.filter(|name| matches(wanted, name)).map(|name| dir.join(name)).collect();
    paths.sort_by_key(|path| order(path));
    paths
}

fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(first) else { return false };
    (0..=name.len()).filter(|at| name.is_char_boundary(*at)).any(|at| matches(rest, &name[at..]))
}

/// ttyUSB9 before ttyUSB10.
fn order(path: &Path) -> (String, u64, PathBuf) {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (plain.to_owned(), name[plain.len()..].parse().unwrap_or(0), path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, name, wanted) in [
            ("ttyUSB*", "ttyUSB12", true),
            ("ttyUSB*", "ttyUS", false),
            ("*", "", true),
            ("a*b*c", "axxbyc", true),
            ("a*b*c", "axxbyd", false),
            ("a", "ab", false),
        ] {
            assert_eq!(matches(pattern, name), wanted, "{pattern} {name}");
        }
    }

    #[test]
    fn names_are_in_the_order_people_count() {
        let mut names = ["ttyUSB10", "ttyACM3", "ttyUSB9"].map(PathBuf::from);
        names.sort_by_key(|name| order(name));
        assert_eq!(names, ["ttyACM3", "ttyUSB9", "ttyUSB10"].map(PathBuf::from));
    }
}
