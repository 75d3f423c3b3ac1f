//! The vocabulary of the protocol: words, numbers and grammars, without any input or output.

pub mod anchor;
pub mod audit;
pub mod character;
pub mod credential;
pub mod digest;
pub mod evidence;
pub mod keys;
pub mod nearest;
pub mod profile;
pub mod sections;
pub mod status;
pub mod timestamp;
pub mod tokens;
pub mod words;

/// Declares an enum whose variants are exact words of the protocol; each word stands here and nowhere else.
macro_rules! vocabulary {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// Every value, in the order of the protocol.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The exact word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The value of an exact word; case matters.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }

            /// The exact words, in the order of the protocol.
            pub fn words() -> impl Iterator<Item = &'static str> + Clone {
                Self::ALL.iter().map(|value| value.as_str())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use vocabulary;
