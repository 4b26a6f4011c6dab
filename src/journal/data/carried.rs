//! What a journal that begins with a later game of a board is given from the game before.

use serde::{Deserialize, Serialize};

use super::{LeverData, ReportData, SettingData, from_report, setting, to_report, to_setup};
use crate::events::{Lever, Report, Wood};
use crate::table::Carried;
use crate::tick::Tick;
use crate::timeline::{Seating, Turned};

#[derive(Serialize, Deserialize)]
pub(in crate::journal) struct CarriedData {
    setting: SettingData,
    /// Inputs of the board before; the next one has the number after that.
    inputs: u64,
    questions: u32,
    answered: Vec<String>,
    serials: Vec<String>,
    turned: TurnedData,
    /// White's end of the clock.
    white: LeverData,
    /// In the sensor's frame.
    wood: String,
    clock: ReportData,
    /// Microseconds, as in `tick`.
    noise_us: Vec<u64>,
    clock_kept: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TurnedData {
    No,
    Quarter,
    Half,
    ThreeQuarters,
}

pub(super) fn from_carried(carried: &Carried) -> CarriedData {
    CarriedData {
        setting: setting(&carried.setup),
        inputs: carried.inputs,
        questions: carried.questions,
        answered: carried.answered.clone(),
        serials: carried.serials.clone(),
        turned: match carried.seating.turned {
            Turned::No => TurnedData::No,
            Turned::Quarter => TurnedData::Quarter,
            Turned::Half => TurnedData::Half,
            Turned::ThreeQuarters => TurnedData::ThreeQuarters,
        },
        white: match carried.seating.white {
            Lever::Left => LeverData::Left,
            Lever::Right => LeverData::Right,
        },
        wood: carried.wood.placement(),
        clock: from_report(&Report::Clock(carried.clock)),
        noise_us: carried.noise.iter().map(|at| at.us()).collect(),
        clock_kept: carried.clock_kept,
    }
}

pub(super) fn to_carried(data: CarriedData) -> Result<Carried, String> {
    let Report::Clock(clock) = to_report(data.clock)? else {
        return Err("a game begins with a reading of the clock".to_owned());
    };
    Ok(Carried {
        setup: to_setup(data.setting)?,
        inputs: data.inputs,
        questions: data.questions,
        answered: data.answered,
        serials: data.serials,
        seating: Seating {
            turned: match data.turned {
                TurnedData::No => Turned::No,
                TurnedData::Quarter => Turned::Quarter,
                TurnedData::Half => Turned::Half,
                TurnedData::ThreeQuarters => Turned::ThreeQuarters,
            },
            white: match data.white {
                LeverData::Left => Lever::Left,
                LeverData::Right => Lever::Right,
            },
        },
        wood: Wood::from_placement(&data.wood).map_err(|error| error.to_string())?,
        clock,
        noise: data.noise_us.into_iter().map(Tick::from_us).collect(),
        clock_kept: data.clock_kept,
    })
}
