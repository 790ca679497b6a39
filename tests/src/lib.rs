//! Black-box tests of the `eyas` and `tuner` binaries live in `tests/tests`.
