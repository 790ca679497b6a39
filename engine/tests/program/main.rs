//! Endgame programs.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod language;
mod play;

use engine::program::{Program, Tree};
use std::path::PathBuf;

fn shipped(name: &str) -> PathBuf {
    tests::workspace().join("programs").join(name)
}

fn master() -> Program {
    Program::load(&shipped("master.sexp")).unwrap()
}

/// A program whose three trees are this one.
fn of_tree(text: &str) -> Program {
    let tree = Tree::parse(text).unwrap();
    let trees = [tree.clone(), tree.clone(), tree];
    Program::new(vec!["KRKR".parse().unwrap()], String::new(), trees)
}
