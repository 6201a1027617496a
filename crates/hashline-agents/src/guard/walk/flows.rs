//! Through a pipeline, from its end to its beginning: whose output is seen.

use super::streams::{Sink, Streams};
use super::{Walk, call_of};
use crate::guard::shell::{Command, Pipeline, Stage};
use crate::guard::tools::{self, Input, Piped};

impl Walk<'_> {
    /// Returns the streams of each stage, its redirections applied. What a stage prints is seen if every stage after it lets it through.
    pub(super) fn flows(&self, pipeline: &Pipeline, streams: &Streams) -> Vec<Streams> {
        let mut sink = streams.output();
        let mut flows = Vec::new();
        for (at, stage) in pipeline.stages.iter().enumerate().rev() {
            let mut flow = streams.clone().with_output(sink);
            if at > 0 {
                flow.input = Input::Pipe;
            }
            flow.redirect(&stage.redirects, self.places);
            if at > 0 {
                sink = self.through(stage, &flow);
            }
            flows.push(flow);
        }
        flows.reverse();
        flows
    }

    /// Returns where text ends that is piped into a stage.
    fn through(&self, stage: &Stage, flow: &Streams) -> Sink {
        match &stage.command {
            Command::Simple(_) => match call_of(stage, flow) {
                Some(call) => match tools::deed(&call, self.places).piped {
                    Piped::Consumed => Sink::Hidden,
                    Piped::Passed => flow.output(),
                    Piped::Shown => Sink::Visible,
                },
                None => Sink::Hidden,
            },
            // The first command of each pipeline in it reads what is piped into a group.
            Command::Group(group) => {
                let pipelines = group.scripts.iter().flat_map(|script| &script.pipelines);
                let mut entries = pipelines.filter_map(|pipeline| {
                    let flows = self.flows(pipeline, flow);
                    let (stage, flow) = (pipeline.stages.first()?, flows.first()?);
                    Some(self.through(stage, flow))
                });
                entries
                    .find(|sink| *sink == Sink::Visible)
                    .unwrap_or(Sink::Hidden)
            }
            Command::Loop(_) => Sink::Hidden,
        }
    }
}
