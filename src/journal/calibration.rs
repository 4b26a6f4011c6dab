//! The times of a board as they are written.

use serde::{Deserialize, Serialize};

use crate::events::{Calibration, Lag, Resolution};
use crate::tick::Span;

/// In microseconds, so that what is read is what was measured.
#[derive(Serialize, Deserialize)]
pub(super) struct CalibrationData {
    presses: u32,
    late: u32,
    median_us: u64,
    lag_us: u64,
    waits_us: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scan_us: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    held_back: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_period_us: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_strays_us: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    serials: Vec<String>,
}

impl CalibrationData {
    pub(super) fn of(shown: &Calibration) -> Self {
        CalibrationData {
            presses: shown.lag.presses,
            late: shown.lag.late,
            median_us: shown.lag.median.us(),
            lag_us: shown.lag.most.us(),
            waits_us: shown.waits.us(),
            scan_us: shown.scan.known().map(Span::us),
            held_back: shown.scan == Resolution::HeldBack,
            clock_period_us: shown.clock_period.map(Span::us),
            clock_strays_us: shown.clock_strays.map(Span::us),
            serials: shown.serials.clone(),
        }
    }

    pub(super) fn read(self) -> Calibration {
        let scan = self.scan_us.map_or(Resolution::Unknown, |us| Resolution::Within(Span::from_us(us)));
        Calibration {
            lag: Lag {
                presses: self.presses,
                late: self.late,
                median: Span::from_us(self.median_us),
                most: Span::from_us(self.lag_us),
            },
            waits: Span::from_us(self.waits_us),
            scan: if self.held_back { Resolution::HeldBack } else { scan },
            clock_period: self.clock_period_us.map(Span::from_us),
            clock_strays: self.clock_strays_us.map(Span::from_us),
            serials: self.serials,
        }
    }
}
