//! The constants of hands, players and devices: `fixtures/room/hands.toml`, the one source.
//!
//! `JADOUBE_HANDS=FILE` gives another file with the same keys, say one that `jadoube label --fit`
//! wrote from real recordings.

use std::sync::OnceLock;

use serde::Deserialize;

use super::rng::Rng;

/// Any value from the least to the most.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "[i64; 2]")]
pub struct Even([i64; 2]);

/// From the least to the most, short times more often.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "[i64; 2]")]
pub struct Short([i64; 2]);

fn pair(ends: [i64; 2]) -> Result<[i64; 2], String> {
    if ends[0] <= ends[1] { Ok(ends) } else { Err(format!("{ends:?}: the least comes first, then the most")) }
}

impl TryFrom<[i64; 2]> for Even {
    type Error = String;

    fn try_from(ends: [i64; 2]) -> Result<Even, String> {
        pair(ends).map(Even)
    }
}

impl TryFrom<[i64; 2]> for Short {
    type Error = String;

    fn try_from(ends: [i64; 2]) -> Result<Short, String> {
        pair(ends).map(Short)
    }
}

impl Even {
    pub fn draw(self, rng: &mut Rng) -> i64 {
        rng.range(self.0[0], self.0[1])
    }

    /// The least and the most.
    pub fn ends(self) -> (i64, i64) {
        (self.0[0], self.0[1])
    }
}

impl Short {
    pub fn draw(self, rng: &mut Rng) -> i64 {
        rng.skewed(self.0[0], self.0[1])
    }

    /// The least and the most.
    pub fn ends(self) -> (i64, i64) {
        (self.0[0], self.0[1])
    }
}

macro_rules! sections {
    ($($name:ident { $($key:ident: $kind:ty,)* })*) => {
        $(
            #[derive(Clone, Debug, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                $(pub $key: $kind,)*
            }
        )*
    };
}

sections! {
    Hands {
        pace: Paces,
        reach: Reach,
        capture: Capture,
        en_passant: EnPassant,
        castling: Castling,
        promotion: Promotion,
        slide: Slide,
        rest: Rest,
        set_aside: SetAside,
        carried_off: CarriedOff,
        adjust: Adjust,
        touch: Touch,
        take_back: TakeBack,
        player: Player,
        pause: Pause,
        habits: AllHabits,
        board: BoardDevice,
        clock: ClockDevice,
        link: LinkDevice,
    }
    Paces {
        blitz: PaceTimes,
        rapid: PaceTimes,
        classical: PaceTimes,
    }
    PaceTimes {
        lift_to_land_ms: Short,
        land_to_press_ms: Short,
        think_ms: Short,
    }
    Reach {
        base_ms: i64,
        per_square_ms: i64,
    }
    Capture {
        on_top_parts: usize,
        victim_first_parts: usize,
        perhaps_set_aside_parts: usize,
        own_first_parts: usize,
        victim_to_own_more_ms: i64,
        own_to_victim_more_ms: i64,
        victim_to_land_ms: Even,
    }
    EnPassant {
        victim_first_parts: usize,
        victim_before_landing_parts: usize,
        victim_after_landing_parts: usize,
        victim_to_own_more_ms: i64,
        own_to_victim_more_ms: i64,
        land_to_victim_more_ms: i64,
        victim_to_land_ms: Even,
    }
    Castling {
        king_to_rook_more_ms: i64,
        king_rests_percent: u32,
        king_rests_ms: Short,
        rook_to_king_960_ms: Even,
        king_to_rook_960_ms: Even,
    }
    Promotion {
        victim_to_own_more_ms: i64,
        victim_first_percent: u32,
        pushed_then_exchanged_parts: usize,
        pushed_and_replaced_parts: usize,
        new_piece_first_parts: usize,
        pawn_off_first_parts: usize,
        at_hand_ms: Even,
        fetched_ms: Even,
        pawn_in_hand_most_ms: i64,
        pawn_off_to_new_ms: Even,
        new_to_pawn_off_ms: Even,
    }
    Slide {
        square_percent: u32,
        to_next_ms: Even,
        dwell_ms: Even,
        last_ms: Even,
    }
    Rest {
        dwell_ms: Short,
    }
    SetAside {
        land_to_victim_ms: Even,
        victim_to_own_ms: Even,
        own_to_land_ms: Even,
    }
    CarriedOff {
        after_landing_ms: Even,
        dwell_ms: Even,
    }
    Adjust {
        dwell_ms: Short,
        after_ms: Even,
    }
    Touch {
        dwell_ms: Short,
        after_ms: Even,
    }
    TakeBack {
        victim_to_land_ms: Even,
        stands_ms: Short,
        victim_back_ms: Even,
        after_ms: Even,
    }
    Player {
        think_least_ms: i64,
        arrive_ms: Even,
        adjusted_at_start_below: usize,
        adjusted_at_start_after_ms: Even,
        start_clock_ms: Even,
        reply_before_press_ms: Short,
        late_press_ms: Short,
        press_again_ms: Even,
        press_after_end_percent: u32,
    }
    Pause {
        before_stop_ms: Even,
        stopped_ms: Even,
        clock_set_ms: Even,
        after_start_ms: Even,
    }
    AllHabits {
        clean: CleanHabits,
        busy: BusyHabits,
    }
    CleanHabits {
        slide_percent: Vec<u32>,
        carried_off_percent: Vec<u32>,
    }
    BusyHabits {
        has_percent: u32,
        slide_percent: u32,
        rest_percent: u32,
        carried_off_percent: u32,
        set_aside_percent: u32,
        adjust_percent: u32,
        adjust_in_move_percent: u32,
        touch_percent: u32,
        take_back_percent: u32,
        premature_percent: u32,
        reply_before_press_percent: u32,
        forget_percent: u32,
        press_twice_percent: u32,
        pause_percent: u32,
        penalty_percent: u32,
        queen_fetched_percent: u32,
    }
    BoardDevice {
        scan_ms: Vec<i64>,
        scan_occupancy_ms: Vec<i64>,
        scan_batched_ms: Vec<i64>,
        latency_ms: [i64; 2],
        bad_latency_most_ms: Even,
        turned_percent: u32,
        bad_has_percent: u32,
        bad_batched_percent: u32,
        missed_permille: u32,
        misread_permille: u32,
        duplicate_permille: u32,
        flicker_permille: u32,
        missed_dump_ms: Even,
        missed_pause_ms: i64,
        misread_right_ms: Even,
        duplicate_after_ms: Vec<i64>,
        flicker_first_ms: Even,
        flicker_next_ms: Even,
        flicker_lasts_more_ms: i64,
        flicker_scan_least_ms: i64,
    }
    ClockDevice {
        latency_ms: [i64; 2],
        bad_latency_sum_ms: i64,
        bad_asked_percent: u32,
        asked_every_ms: Vec<i64>,
        asked_tick_ms: i64,
        tick_ms: Vec<i64>,
        stale_permille: u32,
        stale_after_ms: Even,
        stale_right_ms: Even,
        frozen_permille: u32,
        frozen_ms: Even,
    }
    LinkDevice {
        lost_around_ms: Even,
        lost_after_turn_ms: i64,
        short_ms: Even,
        short_after_ms: Even,
        long_back_ms: Even,
        long_after_ms: Even,
        again_percent: u32,
        dump_ms: Even,
        clock_percent: u32,
        clock_ms: Even,
    }
}

impl Hands {
    /// Reads a file of constants; the error says which key is wrong.
    pub fn parse(text: &str) -> Result<Hands, String> {
        toml::from_str(text).map_err(|e| e.to_string())
    }
}

/// The constants that everything here plays with.
pub fn hands() -> &'static Hands {
    static HANDS: OnceLock<Hands> = OnceLock::new();
    HANDS.get_or_init(|| {
        let default = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/room/hands.toml");
        let path = std::env::var("JADOUBE_HANDS").unwrap_or_else(|_| default.to_owned());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        Hands::parse(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
    })
}
