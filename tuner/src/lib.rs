//! The tuner library (skeleton).
