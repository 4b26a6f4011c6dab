//! What a journal that begins with a later game of a board is given from the game before.

use serde::{Deserialize, Serialize};

use super::{LeverData, ReportData, SettingData, from_report, setting, to_report, to_setup};
use crate::alerts::{GameSummary, Pairing, Profile};
use crate::events::{Lever, Report, TimeControl, Wood};
use crate::laws::RuleId;
use crate::table::{Carried, Orders};
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
    #[serde(default, skip_serializing_if = "OrdersData::is_empty")]
    orders: OrdersData,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    games: Vec<GameData>,
}

/// What people have entered that stands until it is changed.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize)]
struct OrdersData {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<ZoneData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    profile: Option<ProfileData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    muted: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hold: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<PairingData>,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct PairingData {
    white: Option<String>,
    black: Option<String>,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct ZoneData {
    arbiter: Option<String>,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct ProfileData {
    ruleset: String,
    base_s: Option<u32>,
    inc_s: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct GameData {
    game: u32,
    began_us: Option<u64>,
    plies: u32,
    result: Option<String>,
    offences: (u32, u32),
}

impl OrdersData {
    fn is_empty(&self) -> bool {
        *self == OrdersData::default()
    }
}

fn from_orders(orders: &Orders) -> OrdersData {
    OrdersData {
        zone: orders.zone.as_ref().map(|arbiter| ZoneData { arbiter: arbiter.clone() }),
        profile: orders.profile.as_ref().map(|profile| ProfileData {
            ruleset: profile.ruleset.clone(),
            base_s: profile.time_control.map(|control| control.base_s),
            inc_s: profile.time_control.map(|control| control.inc_s),
        }),
        start: orders.start.clone(),
        muted: orders.muted.iter().map(|code| code.name().to_owned()).collect(),
        hold: orders.hold,
        next: orders
            .next
            .as_ref()
            .map(|Pairing { white, black }| PairingData { white: white.clone(), black: black.clone() }),
    }
}

fn to_orders(data: OrdersData) -> Result<Orders, String> {
    let code = |name: &String| RuleId::named(name).ok_or_else(|| format!("\"{name}\" is no finding"));
    Ok(Orders {
        zone: data.zone.map(|zone| zone.arbiter),
        profile: data.profile.map(|profile| Profile {
            ruleset: profile.ruleset,
            time_control: profile.base_s.map(|base_s| TimeControl {
                base_s,
                inc_s: profile.inc_s.unwrap_or(0),
                bonus: None,
                increment_on_first_move: false,
            }),
        }),
        start: data.start,
        muted: data.muted.iter().map(code).collect::<Result<_, _>>()?,
        hold: data.hold,
        next: data.next.map(|PairingData { white, black }| Pairing { white, black }),
    })
}

fn from_game(game: &GameSummary) -> GameData {
    GameData {
        game: game.game,
        began_us: game.began.map(Tick::us),
        plies: game.plies,
        result: game.result.clone(),
        offences: game.offences,
    }
}

fn to_game(data: GameData) -> GameSummary {
    GameSummary {
        game: data.game,
        began: data.began_us.map(Tick::from_us),
        plies: data.plies,
        result: data.result,
        offences: data.offences,
    }
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
        orders: from_orders(&carried.orders),
        games: carried.games.iter().map(from_game).collect(),
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
        orders: to_orders(data.orders)?,
        games: data.games.into_iter().map(to_game).collect(),
    })
}
