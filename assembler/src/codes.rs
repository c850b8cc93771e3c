//! The one table of all errors and warnings. Each kind has a permanent name, by which a warning can be silenced and
//! which `gray1 explain` explains. The explanations are those of `assembler/diagnostics.md`.

use crate::source::first_sentence;

/// The document, with a section for each code.
const PAGES: &str = include_str!("../diagnostics.md");

macro_rules! codes {
    ($(#[doc = $about:literal])* $kind:ident: $($(#[doc = $doc:literal])* $variant:ident = $name:literal;)*) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $kind { $($(#[doc = $doc])* $variant),* }

        impl $kind {
            /// Every kind.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $($kind::$variant => $name),* }
            }

            /// The kind of this name.
            pub fn from_name(name: &str) -> Option<$kind> {
                $kind::ALL.iter().copied().find(|kind| kind.name() == name)
            }
        }
    };
}

codes! {
    /// The kinds of warnings.
    Warning:
    /// Instructions of the root file that execution cannot reach.
    UnreachableCode = "unreachable-code";
    /// A name of the root file that is never used; names that begin with `_` are exempt.
    UnusedName = "unused-name";
    /// RAM of the root file that is read, but that no instruction writes: it holds noise at power-up.
    NeverWritten = "never-written";
    /// `lda limit` where `limit` is a plain number: meant as `lda #limit`?
    ForgottenHash = "forgotten-hash";
    /// `lda #n` where `n` is RAM: meant as `lda n`?
    SuperfluousHash = "superfluous-hash";
    /// A jump to the instruction that follows anyway.
    JumpToNext = "jump-to-next";
    /// A routine that execution enters without a `call`, from the instruction before it or from the start.
    RunsIntoRoutine = "runs-into-routine";
    /// A value in A or C that a call or a return overwrites.
    LostInCall = "lost-in-call";
    /// A is read after the comparison of a block has changed it.
    LostInComparison = "lost-in-comparison";
    /// A or C is read after an idiom that leaves it undefined.
    LostInIdiom = "lost-in-idiom";
    /// An address where the byte there is meant: in arithmetic, in `.if`, in a pasted name, in parentheses.
    AddressAsValue = "address-as-value";
    /// A name that is defined where a parameter or counter of that name hides it.
    HiddenName = "hidden-name";
    /// A store to an address that reads an input.
    StoreToInput = "store-to-input";
    /// A character that is another number of bytes in a text.
    NotAscii = "not-ascii";
    /// A formula of a contract that is always false.
    FalsePromise = "false-promise";
    /// A constant from outside that the program does not use.
    UnusedDefinition = "unused-definition";
}

codes! {
    /// The kinds of errors.
    ErrorCode:
    /// A syntax error.
    SyntaxError = "syntax-error";
    /// A number, character or text that cannot be read.
    BadLiteral = "bad-literal";
    /// A name was expected, or pasted together, and this is not one.
    BadName = "bad-name";
    /// A name that the language reserves.
    ReservedName = "reserved-name";
    /// An instruction without an operand.
    MissingOperand = "missing-operand";
    /// `a < b < c`.
    ChainedComparison = "chained-comparison";
    /// A line, an expression or a program exceeds a limit of the assembler.
    TooComplex = "too-complex";
    /// A directive that does not exist.
    UnknownDirective = "unknown-directive";
    /// `.allow` of something that is not a warning.
    UnknownWarning = "unknown-warning";
    /// The beginning of a block without its end, or the other way round.
    UnmatchedBlock = "unmatched-block";
    /// `.break` or `.continue` outside a loop of the program.
    BreakOutsideLoop = "break-outside-loop";
    /// `.once` inside a block.
    MisplacedOnce = "misplaced-once";
    /// Two parameters of the same name.
    DuplicateParameter = "duplicate-parameter";
    /// Operands that a directive, `call`, `return` or `read_table` does not take.
    WrongOperand = "wrong-operand";
    /// A name that is not defined.
    UnknownName = "unknown-name";
    /// A line that begins with a word that is neither an instruction nor a macro.
    UnknownStatement = "unknown-statement";
    /// A `call` of something that is not a routine.
    UnknownRoutine = "unknown-routine";
    /// A `read_table` of something that is not a table.
    UnknownTable = "unknown-table";
    /// A call of a function that is not defined.
    UnknownFunction = "unknown-function";
    /// `old` where there is no earlier state.
    MisplacedOld = "misplaced-old";
    /// An invariant where there is no word.
    MisplacedInvariant = "misplaced-invariant";
    /// A part of a contract that must be constant, but depends on the program's state.
    NotConstant = "not-constant";
    /// A contract of a macro call whose words are not contiguous.
    ScatteredCall = "scattered-call";
    /// A name that is taken.
    DuplicateName = "duplicate-name";
    /// A macro, function, table, text or routine where a value is needed, or the other way round.
    WrongKind = "wrong-kind";
    /// A value that determines the amount of code, but is defined only later.
    NotKnownYet = "not-known-yet";
    /// A variable before its first `:=`.
    UnassignedVariable = "unassigned-variable";
    /// A constant that is defined by itself.
    CircularDefinition = "circular-definition";
    /// A constant that does not fit in a byte.
    ConstantRange = "constant-range";
    /// A value that does not fit in a word.
    WordRange = "word-range";
    /// An address that RAM does not have.
    AddressRange = "address-range";
    /// A sequence number that program memory does not have.
    TargetRange = "target-range";
    /// A count or an index that is too small or too large.
    OutOfRange = "out-of-range";
    /// Division by zero, overflow, an impossible shift.
    Arithmetic = "arithmetic";
    /// A constant where an instruction takes none.
    ConstantOperand = "constant-operand";
    /// A jump to an address in RAM.
    JumpToRam = "jump-to-ram";
    /// A label where an address in RAM is needed.
    LoadOfLabel = "load-of-label";
    /// A text as the operand of an instruction.
    TextOperand = "text-operand";
    /// A parameter that is a constant, inside an operand without `#`.
    HashMissing = "hash-missing";
    /// More RAM than there is.
    RamFull = "ram-full";
    /// More than 4,096 words.
    ProgramTooLong = "program-too-long";
    /// Two words for the same sequence number.
    OccupiedWord = "occupied-word";
    /// An `.assert` that does not hold.
    AssertionFailed = "assertion-failed";
    /// An `.error`.
    ProgramError = "program-error";
    /// A macro or function with too few or too many arguments.
    ArgumentCount = "argument-count";
    /// An argument that must be a name.
    NameExpected = "name-expected";
    /// Macros or functions that call themselves without end.
    EndlessRecursion = "endless-recursion";
    /// A program that expands endlessly.
    TooMuchWork = "too-much-work";
    /// A routine inside a routine.
    NestedRoutine = "nested-routine";
    /// `return` outside a routine.
    ReturnOutsideRoutine = "return-outside-routine";
    /// A routine that calls itself.
    RoutineRecursion = "routine-recursion";
    /// A routine that is called more than 256 times.
    TooManyCalls = "too-many-calls";
    /// Calls whose number depends on itself.
    UnsettledCalls = "unsettled-calls";
    /// A comparison that the assembler can decide.
    IdleComparison = "idle-comparison";
    /// An included file that cannot be read.
    CannotInclude = "cannot-include";
    /// A file that includes itself.
    CircularInclude = "circular-include";
    /// A file that is not UTF-8.
    NotUtf8 = "not-utf8";
    /// A file that is too large to be a source.
    FileTooLarge = "file-too-large";
    /// A root file that cannot be read.
    CannotRead = "cannot-read";
    /// A constant from outside that no program could define.
    BadDefinition = "bad-definition";
    /// The caller asked to stop.
    Stopped = "stopped";
    /// More errors than the report lists.
    TooManyErrors = "too-many-errors";
}

/// The kind of an error or warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The kind of an error.
    Error(ErrorCode),
    /// The kind of a warning, which `--deny` turns into an error.
    Warning(Warning),
}

impl Code {
    /// Every code, errors first.
    pub fn all() -> impl Iterator<Item = Code> {
        let errors = ErrorCode::ALL.iter().map(|&error| Code::Error(error));
        errors.chain(Warning::ALL.iter().map(|&warning| Code::Warning(warning)))
    }

    /// The permanent name.
    pub const fn name(self) -> &'static str {
        match self {
            Code::Error(error) => error.name(),
            Code::Warning(warning) => warning.name(),
        }
    }

    /// The code of this name.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::all().find(|code| code.name() == name)
    }

    /// Whether it reports a value, a program or RAM of the wrong size.
    pub(crate) const fn is_about_size(self) -> bool {
        use ErrorCode::*;
        let Code::Error(code) = self else { return false };
        matches!(
            code,
            ConstantRange
                | WordRange
                | AddressRange
                | TargetRange
                | OutOfRange
                | Arithmetic
                | RamFull
                | ProgramTooLong
                | OccupiedWord
                | TooMuchWork
        )
    }

    /// Its explanation, with an example and the remedy, in Markdown, without the heading.
    pub fn page(self) -> &'static str {
        let heading = format!("\n### {}\n", self.name());
        let page = PAGES.split_once(&heading).map_or("", |(_, page)| page);
        page.split("\n#").next().unwrap_or_default().trim()
    }

    /// Its meaning in one sentence.
    pub fn summary(self) -> String {
        first_sentence(self.page())
    }

    /// An example source with this error or warning, if a source alone can cause it.
    pub fn example(self) -> Option<&'static str> {
        let (_, block) = self.page().split_once("```asm\n")?;
        block.split_once("```").map(|(source, _)| source)
    }
}
