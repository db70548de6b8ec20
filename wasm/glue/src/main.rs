//! `wasm-glue INPUT FOLDER NAME`: makes the files for the page from the compiled library: `NAME_bg.wasm`, `NAME.js` and
//! `NAME.d.ts`.

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
        // By default a page loads the library from the folder of the glue.
        .omit_default_module_path(false)
        // The names of functions and tools make up a third of the size, and a page does not use them.
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)?;
    Ok(())
}
