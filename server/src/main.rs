//! The binary `mawe`.

use std::process::ExitCode;

// A move allocates on one thread and frees on another, which costs the system's allocator a quarter of the time of a move
// (`docs/performance.md`).
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    mawe_server::cli::run(std::env::args_os())
}
