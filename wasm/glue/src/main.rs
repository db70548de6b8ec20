//! `wasm-glue INPUT FOLDER NAME`: what a page loads, made of the compiled library: `NAME_bg.wasm`, `NAME.js` and `NAME.d.ts`.

use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder, name] = arguments.as_slice() else {
        return Err("usage: wasm-glue INPUT FOLDER NAME".into());
    };
    Bindgen::new()
        .input_path(input)
        .out_name(name)
        .web(true)?
        .typescript(true)
        // A page that names no address gets the library that lies beside the glue.
        .omit_default_module_path(false)
        // Names of functions and of tools: a third of the size, and nothing that a page could use.
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)?;
    Ok(())
}
