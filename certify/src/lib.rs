//! Checks evidence without the engines' code
