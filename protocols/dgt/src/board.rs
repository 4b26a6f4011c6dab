//! Fields and pieces: the board dump and the field update.
//!
//! Seen on: all DGT boards; measured on three captures with USB boards. The dumps of draughts
//! boards are described by one source, and seen nowhere.
//! Framing: as in `frame`. Payloads:
//!
//! ```text
//! 86 board dump    pppp × 64   one piece code per field, field 0 first
//!               or pppp × 100  on a board of 10 × 10
//! 8E field update  ff pp       ff field 0..=63, pp piece code, 00 = now empty
//! 94, 95           pppp × 50   a draughts board, its black fields, its white ones
//!
//! piece code, low four bits:
//!   0 empty   1 pawn 2 rook 3 knight 4 bishop 5 king 6 queen (white)   7..=C the same (black)
//!   D, E, F   the result pieces: draw, White wins, Black wins
//! ```
//!
//! Fields are numbered as one reads a page when the connector is on the left: 0 is the far left
//! corner, 7 the far right one, 63 the near right one. The board never renumbers them, whoever
//! sits where (except a Revelation II with auto-reverse, one source).
//!
//! Integrity: none; a field above 63 is refused. Two or more independent sources and the captures
//! agree. Open: the meaning of the upper bits of a piece code, if any firmware sets them; whether
//! a badly centred piece flickers in field updates; what a board of 10 × 10 makes of field updates
//! above 63, which are refused here.

use crate::Message;

/// One field of the sensor, 0..=63, counted from the far left corner, row by row, as seen with
/// the connector on the left. Which square of the game it is depends on how the board stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(u8);

impl Field {
    /// The field with this index, or `None` above 63.
    pub const fn new(index: u8) -> Option<Field> {
        if index < 64 { Some(Field(index)) } else { None }
    }

    /// The index, 0..=63.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// All fields in the order of a dump.
    pub fn all() -> impl Iterator<Item = Field> {
        (0..64).map(Field)
    }
}

/// What the sensor says stands on a field, 0..=15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceCode(u8);

impl PieceCode {
    /// The bits of a byte that hold the code.
    pub const MASK: u8 = 0x0F;

    /// Nothing.
    pub const EMPTY: PieceCode = PieceCode(0x00);
    /// White pawn.
    pub const WHITE_PAWN: PieceCode = PieceCode(0x01);
    /// White rook.
    pub const WHITE_ROOK: PieceCode = PieceCode(0x02);
    /// White knight.
    pub const WHITE_KNIGHT: PieceCode = PieceCode(0x03);
    /// White bishop.
    pub const WHITE_BISHOP: PieceCode = PieceCode(0x04);
    /// White king.
    pub const WHITE_KING: PieceCode = PieceCode(0x05);
    /// White queen.
    pub const WHITE_QUEEN: PieceCode = PieceCode(0x06);
    /// Black pawn.
    pub const BLACK_PAWN: PieceCode = PieceCode(0x07);
    /// Black rook.
    pub const BLACK_ROOK: PieceCode = PieceCode(0x08);
    /// Black knight.
    pub const BLACK_KNIGHT: PieceCode = PieceCode(0x09);
    /// Black bishop.
    pub const BLACK_BISHOP: PieceCode = PieceCode(0x0A);
    /// Black king.
    pub const BLACK_KING: PieceCode = PieceCode(0x0B);
    /// Black queen.
    pub const BLACK_QUEEN: PieceCode = PieceCode(0x0C);
    /// The result piece "draw".
    pub const DRAW: PieceCode = PieceCode(0x0D);
    /// The result piece "White wins".
    pub const WHITE_WINS: PieceCode = PieceCode(0x0E);
    /// The result piece "Black wins".
    pub const BLACK_WINS: PieceCode = PieceCode(0x0F);

    /// The code in a byte from the wire. Bits outside [`MASK`](Self::MASK) are ignored, so
    /// every byte is a code.
    pub const fn from_byte(byte: u8) -> PieceCode {
        PieceCode(byte & Self::MASK)
    }

    /// The code, 0..=15.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Whether nothing stands there.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this is one of the three result pieces, which are no chessmen.
    pub const fn is_result(self) -> bool {
        self.0 > Self::BLACK_QUEEN.0
    }
}

pub(crate) fn read_dump(payload: &[u8]) -> Option<Message<'static>> {
    match codes(payload) {
        Some(pieces) => Some(Message::Dump(pieces)),
        None => codes(payload).map(Message::LargeDump),
    }
}

pub(crate) fn read_draughts(payload: &[u8], white_fields: bool) -> Option<Message<'static>> {
    codes(payload).map(|pieces| Message::Draughts { white_fields, pieces })
}

fn codes<const N: usize>(payload: &[u8]) -> Option<[PieceCode; N]> {
    let codes: &[u8; N] = payload.try_into().ok()?;
    Some(codes.map(PieceCode::from_byte))
}

pub(crate) fn read_field(payload: &[u8]) -> Option<Message<'static>> {
    let &[field, piece] = payload else {
        return None;
    };
    Some(Message::Field { field: Field::new(field)?, piece: PieceCode::from_byte(piece) })
}
