//! Program to transition system by large-block encoding
