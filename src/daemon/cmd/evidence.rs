//! A journal as evidence: read to its end, line by line, with the wall-clock time of each.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use crate::journal::{Entry, GoesOn, Header, JournalError, Reader, Record, is_journal};
use crate::laws::Rules;
use crate::table::Input;
use crate::tick::Tick;

/// A journal that was read.
#[derive(Debug)]
pub struct Evidence {
    /// Its first line.
    pub header: Header,
    /// The lines that are whole and in one chain.
    pub records: Vec<Record>,
    /// Why reading stopped before the end.
    pub damage: Option<JournalError>,
    /// Whether what stopped it is only a last line that was being written when the program ended.
    pub torn: bool,
    /// Whether something that copied it changed the line ends.
    pub line_ends_changed: bool,
    /// SHA-256 of the file, unpacked.
    pub digest: String,
    /// What its last line is known by, for the journal after it.
    pub hash: String,
}

impl Evidence {
    /// Reads a journal, packed or not.
    ///
    /// # Errors
    /// The file cannot be read, or is no journal.
    pub fn read(path: &Path) -> anyhow::Result<Evidence> {
        let name = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let bytes = match bytes.starts_with(&[0x1f, 0x8b]) {
            true => {
                let mut plain = Vec::new();
                let read = MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain);
                read.with_context(|| format!("cannot unpack {name}"))?;
                plain
            }
            false => bytes,
        };
        let digest = hex::encode(Sha256::digest(&bytes));
        let line_ends_changed = bytes.contains(&b'\r');
        let text = String::from_utf8_lossy(&bytes);
        if !text.lines().next().is_some_and(is_journal) {
            bail!("{name} is no journal: it does not begin with the header of one");
        }
        let mut reader = Reader::new();
        let (mut records, mut damage, mut torn) = (Vec::new(), None, false);
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            match reader.read_line(line) {
                Ok(record) => records.push(record),
                Err(error) => {
                    torn = lines.peek().is_none() && !line.ends_with('\n');
                    damage = Some(error);
                    break;
                }
            }
        }
        let Some(Record { entry: Entry::Header(header), .. }) = records.first() else {
            bail!("{name}: the first line is damaged: {}", damage.map_or_else(String::new, |d| d.what));
        };
        let (header, hash) = (header.clone(), reader.hash().to_owned());
        Ok(Evidence { header, records, damage, torn, line_ends_changed, digest, hash })
    }

    /// The wall-clock time of a tick, UTC, to the tenth of a second: `2026-11-30 14:03:21.4`.
    #[must_use]
    pub fn wall(&self, at: Tick) -> String {
        let ms = self.header.start_ms.saturating_add(at.ms());
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_millis(ms);
        let text = humantime::format_rfc3339_millis(time).to_string();
        text.get(..21).unwrap_or(&text).replacen('T', " ", 1)
    }

    /// The digest of the rules that were used, and whether they are the rules of this program; in
    /// words that follow the name of the rule set.
    #[must_use]
    pub fn rules(&self) -> String {
        let setup = self.records.iter().find_map(|record| match &record.entry {
            Entry::Input(Input::Setting(setup)) => Some(&**setup),
            Entry::Input(Input::Carried(carried)) => Some(&carried.setup),
            _ => None,
        });
        let now = setup.map(|setup| Rules::of_setup(setup).digest());
        match (&self.header.rules_digest, now) {
            (Some(was), Some(now)) if *was == now => format!(", digest {was}: the same in this program"),
            (Some(was), Some(now)) => format!(", digest {was}: OTHERWISE in this program, digest {now}"),
            (Some(was), None) => format!(", digest {was}"),
            (None, _) => String::new(),
        }
    }

    /// Where programs went on with it.
    pub fn goes_on(&self) -> impl Iterator<Item = (Tick, &GoesOn)> {
        self.records.iter().filter_map(|record| match &record.entry {
            Entry::GoesOn(goes_on) => Some((record.tick, goes_on)),
            _ => None,
        })
    }

    /// When its last line was written.
    #[must_use]
    pub fn last(&self) -> Tick {
        self.records.last().map_or(Tick::ZERO, |record| record.tick)
    }
}
