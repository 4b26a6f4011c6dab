//! From the bytes of a DGT board to reports.

use super::Report;

/// Turns a DGT board's bytes into reports, whatever way they are split.
#[derive(Debug, Default)]
pub struct DgtAdapter {}

impl DgtAdapter {
    /// Feeds bytes as they came from the port.
    pub fn feed(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        let _ = (bytes, heard);
    }
}
