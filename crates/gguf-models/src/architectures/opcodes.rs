//! The codes of the table of rules and graphs, which the build script writes and the program reads.

// Of expressions in rules and graphs. Operands follow.
pub const NUMBER: u8 = 0;
pub const KEY: u8 = 1;
pub const BLOCK: u8 = 2;
pub const NOT: u8 = 3;
pub const OR: u8 = 4;
pub const HAS: u8 = 5;
pub const DIMENSION: u8 = 6;
pub const OR_ELSE: u8 = 7;
pub const AND: u8 = 8;
pub const EQUAL: u8 = 9;
pub const UNEQUAL: u8 = 10;
pub const LESS: u8 = 11;
pub const GREATER: u8 = 12;
pub const LESS_OR_EQUAL: u8 = 13;
pub const GREATER_OR_EQUAL: u8 = 14;
pub const ADD: u8 = 15;
pub const SUBTRACT: u8 = 16;
pub const MULTIPLY: u8 = 17;
pub const DIVIDE: u8 = 18;
pub const REMAINDER: u8 = 19;

// Of expressions in rules.
pub const DEFINITION: u8 = 20;
pub const KEY_OF_BLOCK: u8 = 21;
pub const VOCABULARY: u8 = 22;
pub const TOKENS: u8 = 23;
pub const TOKEN_TYPES: u8 = 24;
pub const LABELS: u8 = 25;
pub const IF: u8 = 26;
pub const GIVEN: u8 = 27;
pub const GIVEN_OR: u8 = 28;
pub const SCALAR: u8 = 29;
pub const COUNT: u8 = 30;
pub const MOST_OF: u8 = 31;
pub const LEAST_OF: u8 = 32;
pub const DISTINCT: u8 = 33;
pub const IS: u8 = 34;
pub const MOST_OF_BLOCKS: u8 = 35;
pub const MAX: u8 = 36;
pub const AT: u8 = 37;
pub const HAS_AT: u8 = 38;

// Of expressions in graphs.
pub const NUMBER_OF_GRAPH: u8 = 20;
pub const ROWS: u8 = 21;

/// The end of a list of statements.
pub const END: u8 = 0;

// Of statements of rules.
pub const READ_KEY: u8 = 1;
pub const TENSOR: u8 = 2;
pub const BRANCH: u8 = 3;
pub const BLOCKS: u8 = 4;
pub const MUST: u8 = 5;
pub const ASSERT: u8 = 6;
pub const OPTIONAL: u8 = 7;
/// Statements that were written before: their place and their number.
pub const AGAIN: u8 = 8;

// Of statements of graphs.
pub const SKIP_UNLESS: u8 = 1;
pub const SKIP: u8 = 2;
pub const RUN: u8 = 3;
pub const LET: u8 = 4;
pub const FROM: u8 = 5;
pub const NOW: u8 = 6;
pub const STORE: u8 = 7;
pub const OUTPUT: u8 = 8;
pub const COPY: u8 = 9;
pub const PRODUCT: u8 = 10;
pub const EXPERTS: u8 = 11;
pub const NORM: u8 = 12;
pub const SAME: u8 = 13;
pub const NEW: u8 = 14;
pub const INPUT: u8 = 15;
pub const VIEW: u8 = 16;
