//! A new migration is a new file: without being told, cargo would not notice it.

fn main() {
    println!("cargo::rerun-if-changed=../migrations");
}
