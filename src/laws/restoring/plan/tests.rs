//! The plan leads there, is never ambiguous about a square, and no other is shorter.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use shakmaty::{Color, Role};

use super::*;
use crate::game::{Completed, Completion, Position, Record};

/// Does what the plan says; the piece comes only to a square that is free.
fn execute(wood: &Wood, moves: &[HandMove]) -> Wood {
    let mut wood = wood.clone();
    let mut aside: Vec<Option<Piece>> = Vec::new();
    for hand in moves {
        let piece = match hand.from {
            Some(from) => {
                let seen = wood.at(from);
                assert!(seen.is_occupied(), "{hand:?}: nothing stands there");
                wood.set(from, Sensed::Empty);
                seen
            }
            None => hand.piece.map_or(Sensed::Something, Sensed::Piece),
        };
        match (hand.aside, hand.to) {
            (true, None) => aside.push(hand.piece),
            (true, Some(_)) => {
                let place = aside.iter().position(|known| *known == hand.piece);
                aside.remove(place.unwrap_or_else(|| panic!("{hand:?} was not laid aside")));
            }
            _ => {}
        }
        if let Some(to) = hand.to {
            assert!(!wood.at(to).is_occupied(), "{hand:?}: two pieces on one square");
            wood.set(to, piece);
        }
    }
    assert!(aside.is_empty(), "{aside:?} is left aside");
    wood
}

const KINDS: [Piece; 3] = [
    Piece { color: Color::White, role: Role::King },
    Piece { color: Color::White, role: Role::Rook },
    Piece { color: Color::Black, role: Role::Pawn },
];

/// A small board: each digit to the base four is a square.
fn small(code: u32, squares: u32) -> Board {
    let mut board = Board::empty();
    for square in 0..squares {
        let digit = code / 4_u32.pow(square) % 4;
        if let Some(kind) = digit.checked_sub(1) {
            board.set_piece_at(Square::new(square), KINDS[kind as usize]);
        }
    }
    board
}

/// The least number of movements from `start` to every small board.
fn shortest(start: u32, squares: u32) -> BTreeMap<u32, usize> {
    let mut far = BTreeMap::from([(start, 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(code) = queue.pop_front() {
        let at = |s: u32| code / 4_u32.pow(s) % 4;
        let with = |code: u32, s: u32, kind: u32| {
            code - (code / 4_u32.pow(s) % 4) * 4_u32.pow(s) + kind * 4_u32.pow(s)
        };
        let mut after = Vec::new();
        for s in 0..squares {
            if at(s) == 0 {
                after.extend((1..4).map(|kind| with(code, s, kind)));
                continue;
            }
            after.push(with(code, s, 0));
            let free = (0..squares).filter(|to| at(*to) == 0);
            after.extend(free.map(|to| with(with(code, s, 0), to, at(s))));
        }
        for next in after {
            if !far.contains_key(&next) {
                far.insert(next, far[&code] + 1);
                queue.push_back(next);
            }
        }
    }
    far
}

#[test]
fn no_list_is_shorter() {
    const SQUARES: u32 = 5;
    let all = 4_u32.pow(SQUARES);
    // A step without a common factor: starts of every sort.
    for start in (0..all).step_by(23) {
        let wood = Wood::from_board(&small(start, SQUARES));
        for (code, least) in shortest(start, SQUARES) {
            let target = small(code, SQUARES);
            let moves = plan(&wood, &Board::empty(), &target, &Homes::default());
            assert_eq!(moves.len(), least, "{start} to {code}: {moves:?}");
            assert!(execute(&wood, &moves).differs(&target).is_empty(), "{moves:?}");
        }
    }
}

fn any_wood(vague: bool) -> impl Strategy<Value = Wood> {
    let letters: Vec<Option<char>> = if vague {
        vec![None, None, Some('X'), Some('P'), Some('k')]
    } else {
        vec![None, None, None, Some('P'), Some('p'), Some('R'), Some('r'), Some('N'), Some('k'), Some('K')]
    };
    proptest::collection::vec(proptest::sample::select(letters), 64).prop_map(|letters| {
        let mut wood = Wood::empty();
        for (square, letter) in Square::ALL.into_iter().zip(letters) {
            let seen = match letter {
                None => Sensed::Empty,
                Some('X') => Sensed::Something,
                Some(letter) => Piece::from_char(letter).map_or(Sensed::Empty, Sensed::Piece),
            };
            wood.set(square, seen);
        }
        wood
    })
}

/// How few movements there can be, counted without making a plan.
fn least(wood: &Wood, target: &Board) -> usize {
    let wrong = wrong(wood, &Board::empty(), target);
    let kind = |stands: Stands| match stands {
        Stands::Piece(piece) => Some(piece),
        Stands::Nothing | Stands::Unknown => None,
    };
    let mut kinds: Vec<Piece> = wrong.iter().flat_map(|w| [kind(w.stands), w.wanted]).flatten().collect();
    kinds.sort_by_key(|piece| piece.char());
    kinds.dedup();
    let (mut moves, mut group): (usize, Vec<usize>) = (0, (1..=kinds.len()).collect());
    let mut outside: Vec<usize> = vec![0];
    let place = |piece: Option<Piece>| piece.and_then(|p| kinds.iter().position(|k| *k == p));
    for w in &wrong {
        let of = |piece: Option<Piece>, group: &[usize]| place(piece).map_or(0, |at| group[at]);
        let (a, b) = (of(kind(w.stands), &group), of(w.wanted, &group));
        group.iter_mut().filter(|g| **g == a.max(b)).for_each(|g| *g = a.min(b));
    }
    for (at, piece) in kinds.iter().enumerate() {
        let stand = wrong.iter().filter(|w| kind(w.stands) == Some(*piece)).count();
        let wanted = wrong.iter().filter(|w| w.wanted == Some(*piece)).count();
        moves += stand.max(wanted);
        if stand != wanted {
            outside.push(group[at]);
        }
    }
    let mut groups = group.clone();
    groups.sort_unstable();
    groups.dedup();
    moves + groups.iter().filter(|g| !outside.contains(g)).count()
}

proptest! {
    #[test]
    fn the_plan_leads_there_and_is_as_short_as_can_be(a in any_wood(false), b in any_wood(false)) {
        let moves = plan(&a, &Board::empty(), b.known(), &Homes::default());
        prop_assert!(execute(&a, &moves).differs(b.known()).is_empty());
        prop_assert_eq!(moves.len(), least(&a, b.known()));
        prop_assert_eq!(&moves, &plan(&a, &Board::empty(), b.known(), &Homes::default()));
    }

    #[test]
    fn what_the_board_cannot_name_is_moved_too(a in any_wood(true), b in any_wood(false)) {
        let moves = plan(&a, &Board::empty(), b.known(), &Homes::default());
        prop_assert!(execute(&a, &moves).differs(b.known()).is_empty());
    }
}

fn words(wood: &str, target: &str) -> Vec<String> {
    let wood = Wood::from_placement(wood).unwrap();
    let target = Position::from_fen(&format!("{target} w - - 0 1")).unwrap();
    plan(&wood, &Board::empty(), &target.board, &Homes::default()).iter().map(HandMove::text).collect()
}

#[test]
fn movements_are_said_as_people_say_them() {
    assert_eq!(words("8/8/8/8/8/5N2/8/8", "8/8/8/8/8/8/8/6N1"), ["knight f3 back to g1"]);
    assert_eq!(
        words("8/8/8/3Q4/8/8/8/8", "8/8/8/3p4/8/8/8/3Q4"),
        ["queen d5 back to d1", "black pawn from beside the board to d5"]
    );
    assert_eq!(words("8/8/8/3Q4/8/8/8/8", "8/8/8/8/8/8/8/8"), ["take the white queen off d5"]);
    assert_eq!(
        words("8/8/8/8/8/8/8/R6K", "8/8/8/8/8/8/8/K6R"),
        ["lay the white rook a1 aside", "king h1 back to a1", "white rook that was laid aside to h1"]
    );
    assert_eq!(words("8/8/8/8/8/6X1/8/8", "8/8/8/8/8/8/8/6N1"), ["knight g3 back to g1"]);
    assert_eq!(words("8/8/8/8/8/6X1/8/8", "8/8/8/8/8/8/8/8"), ["take the piece off g3"]);
}

#[test]
fn a_plan_without_anything_to_do_is_empty() {
    let board = Position::initial().board;
    assert_eq!(plan(&Wood::from_board(&board), &board, &board, &Homes::default()), []);
}

/// Two rooks could each come to a1 and the nearer one is another's: the ply undone decides.
#[test]
fn the_move_just_made_is_undone() {
    let start = Position::from_fen("4k3/8/8/8/R7/8/8/R3K3 w Q - 0 1").unwrap();
    let mut record = Record::new(start, false);
    let how = Completion { by: Completed::Press, placed_at: None, pressed_at: None, dials: None };
    for uci in ["a4a8", "e8e7", "a8d8", "e7e6"] {
        let m = record.end().legal_moves().into_iter().find(|m| m.uci() == uci).unwrap();
        record.push_move(&m, how);
    }
    let said = |keep: usize| -> Vec<String> {
        let wood = Wood::from_board(&record.end().board);
        let homes = Homes::of(&record, keep);
        let plan = plan(&wood, &record.end().board, &record.at(keep).board, &homes);
        plan.iter().map(HandMove::text).collect()
    };
    assert_eq!(said(0), ["rook d8 back to a4", "king e6 back to e8"]);
    assert_eq!(said(3), ["king e6 back to e7"]);
    assert_eq!(said(2), ["king e6 back to e7", "rook d8 back to a8"]);
}

/// On a board that sees only occupancy the record knows what was captured where.
#[test]
fn the_record_names_what_the_board_does_not() {
    let wood = Wood::from_placement("8/8/8/3X4/8/8/8/8").unwrap();
    let known = Position::from_fen("8/8/8/3Q4/8/8/8/8 b - - 0 1").unwrap();
    let target = Position::from_fen("8/8/8/3p4/8/8/8/3Q4 w - - 0 1").unwrap();
    let plan = plan(&wood, &known.board, &target.board, &Homes::default());
    let said: Vec<String> = plan.iter().map(HandMove::text).collect();
    assert_eq!(said, ["queen d5 back to d1", "black pawn from beside the board to d5"]);
}
