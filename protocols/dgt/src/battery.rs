//! The battery of a wireless board.
//!
//! Seen on: Bluetooth boards. Framing: as in `frame`, id A0, 9 bytes of payload:
//!
//! ```text
//! payload  P  h m  h m  d h m  S
//!          P percent, 0..=100
//!             h m left, hours and minutes; 7F = not known
//!                  h m on since
//!                       d h m in standby, days, hours and minutes
//!                              S bit 0 charging, bit 1 discharging
//! ```
//!
//! Integrity: none; a percentage above 100 and minutes above 59 are refused. One source gives the
//! layout; its own constant for the size contradicts it, a second source confirms 9 bytes. Open:
//! whether 7F can stand in the other durations; it is read as "not known" there too, because
//! nothing else makes sense of it.

/// "Not known" in a duration.
const UNKNOWN: u8 = 0x7F;

/// The state of a battery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Battery {
    /// Charge in percent, 0..=100.
    pub percent: u8,
    /// Minutes until it is empty, if known; up to 126 h 59 min.
    pub left_minutes: Option<u16>,
    /// Minutes since it was switched on, if known; up to 126 h 59 min.
    pub on_minutes: Option<u16>,
    /// Minutes in standby, if known; up to 126 days, 23 h 59 min when encoded.
    pub standby_minutes: Option<u32>,
    /// It is being charged.
    pub charging: bool,
    /// It is being discharged.
    pub discharging: bool,
}

impl Battery {
    pub(crate) fn read(payload: &[u8]) -> Option<Battery> {
        let &[percent, left_h, left_m, on_h, on_m, days, hours, minutes, status] = payload else {
            return None;
        };
        Some(Battery {
            percent: (percent <= 100).then_some(percent)?,
            left_minutes: join(left_h, left_m)?,
            on_minutes: join(on_h, on_m)?,
            standby_minutes: join(hours, minutes)?
                .filter(|_| days != UNKNOWN)
                .map(|rest| u32::from(days) * 24 * 60 + u32::from(rest)),
            charging: status & 0x01 != 0,
            discharging: status & 0x02 != 0,
        })
    }

    /// `None` if a value is out of range.
    pub(crate) fn payload(&self) -> Option<[u8; 9]> {
        let percent = (self.percent <= 100).then_some(self.percent)?;
        let [left_h, left_m] = split(self.left_minutes)?;
        let [on_h, on_m] = split(self.on_minutes)?;
        let [days, hours, minutes] = match self.standby_minutes {
            None => [UNKNOWN; 3],
            Some(total) => {
                let [hours, minutes] = split(Some((total % (24 * 60)) as u16))?;
                [below_unknown(total / (24 * 60))?, hours, minutes]
            }
        };
        let status = u8::from(self.charging) | u8::from(self.discharging) << 1;
        Some([percent, left_h, left_m, on_h, on_m, days, hours, minutes, status])
    }
}

/// The outer `None` is a duration out of range, the inner one a duration that is not known.
fn join(hours: u8, minutes: u8) -> Option<Option<u16>> {
    match (hours, minutes) {
        (UNKNOWN, _) | (_, UNKNOWN) => Some(None),
        (_, 0..=59) => Some(Some(u16::from(hours) * 60 + u16::from(minutes))),
        _ => None,
    }
}

fn split(total: Option<u16>) -> Option<[u8; 2]> {
    match total {
        None => Some([UNKNOWN; 2]),
        Some(total) => Some([below_unknown(u32::from(total) / 60)?, (total % 60) as u8]),
    }
}

fn below_unknown(value: u32) -> Option<u8> {
    u8::try_from(value).ok().filter(|&value| value < UNKNOWN)
}
