//! Bytes that are damaged, lost or doubled on their way.

use super::{Faults, Rng};

/// The bytes as they arrive. `rng` goes on from call to call.
pub(in crate::emulator) fn disturbed(bytes: Vec<u8>, faults: &Faults, rng: &mut Rng) -> Vec<u8> {
    let of = |name: &str| faults.value(name);
    let (damage, drop, double) = (of("damage"), of("drop"), of("double"));
    if damage.or(drop).or(double).is_none() {
        return bytes;
    }
    let mut out = Vec::with_capacity(bytes.len());
    let hits = |percent: Option<u32>, rng: &mut Rng| percent.is_some_and(|percent| rng.percent(percent));
    for byte in bytes {
        if hits(drop, rng) {
            continue;
        }
        let byte = if hits(damage, rng) { byte ^ 1 << rng.range(0, 7) } else { byte };
        out.push(byte);
        if hits(double, rng) {
            out.push(byte);
        }
    }
    out
}
