//! `hashline schema`: prints the JSON schema of a request or of its answer.

use hashline_wire::schema::{
    Tool, answer_schema, common_answer_schema, common_schema, read_answer_schema, schema,
};

use super::dialect;
use crate::args::{Global, SchemaArgs, ToolArg};
use crate::exit::Exit;
use crate::output::Output;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, args: &SchemaArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let dialect = dialect(global, args.dialect)?;
    let schema = match args.tool {
        ToolArg::Edit if args.answer => answer_schema(dialect),
        ToolArg::Read if args.answer => read_answer_schema(),
        ToolArg::Common if args.answer => common_answer_schema(),
        ToolArg::Edit => schema(dialect, Tool::Edit),
        ToolArg::Read => schema(dialect, Tool::Read),
        ToolArg::Common => common_schema(),
    };
    if out.json {
        out.object(&schema);
    } else {
        out.line(&format!("{schema:#}"));
    }
    Ok(Exit::Done)
}
