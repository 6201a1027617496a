//! What is looked at in a request over HTTP before the library of the protocol reads it: the library passes over some of it in silence.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::front::Request;
use bytes::Bytes;
use hashline_wire::request::Limits;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use rmcp::model::{ClientRequest, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde_json::{Value, json};

use crate::mcp::message::{self, Refused};
use crate::mcp::server::{Client, HTTP_SESSION};

/// So many connections are kept at a time; one takes some 50 KB.
const MOST_SESSIONS: usize = 1024;

type Answer = Response<BoxBody<Bytes, Infallible>>;
type Inner = StreamableHttpService<Client, LocalSessionManager>;

/// Stands before the library of the protocol.
#[derive(Clone)]
pub(crate) struct Gate {
    inner: Inner,
    sessions: Arc<LocalSessionManager>,
    limits: Limits,
    open: Arc<Open>,
}

/// The requests that have no answer yet, by connection and id.
#[derive(Default)]
struct Open(Mutex<HashSet<(HeaderValue, RequestId)>>);

impl Open {
    fn requests(&self) -> MutexGuard<'_, HashSet<(HeaderValue, RequestId)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of them; it is answered when this is gone.
struct UnderWay {
    open: Arc<Open>,
    what: (HeaderValue, RequestId),
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.open.requests().remove(&self.what);
    }
}

impl Gate {
    pub(crate) fn new(inner: Inner, sessions: Arc<LocalSessionManager>, limits: Limits) -> Self {
        let open = Arc::default();
        Self {
            inner,
            sessions,
            limits,
            open,
        }
    }

    /// Answers a request.
    pub(crate) async fn answer(&self, request: Request) -> Answer {
        if request.method() != Method::POST {
            return self.inner.handle(request).await;
        }
        let (head, body) = request.into_parts();
        // A body that is whole cannot fail.
        let body = body.collect().await.map(|body| body.to_bytes());
        let body = body.unwrap_or_default();
        let message = match message::read(body.trim_ascii(), &self.limits) {
            Ok(message) => message,
            Err(refused) => return told(StatusCode::BAD_REQUEST, &refused),
        };
        let session = head.headers.get(HTTP_SESSION).cloned();
        let under_way = match self.begun(session, message).await {
            Ok(under_way) => under_way,
            Err((status, refused)) => return told(status, &refused),
        };
        let request = http::Request::from_parts(head, Full::new(body));
        let answer = self.inner.handle(request).await;
        answer.map(|body| {
            // It is under way until all of its answer is out.
            let kept = move |frame| {
                let _ = &under_way;
                frame
            };
            body.map_frame(kept).boxed()
        })
    }

    /// Notes that a request is under way, unless its id is in use or there are too many connections already.
    async fn begun(
        &self,
        session: Option<HeaderValue>,
        message: Option<RxJsonRpcMessage<RoleServer>>,
    ) -> Result<Option<UnderWay>, (StatusCode, Box<Refused>)> {
        let Some(JsonRpcMessage::Request(request)) = message else {
            return Ok(None);
        };
        let refused = |status, why: &str| {
            let why = ErrorData::invalid_request(why.to_owned(), None);
            Err((status, Refused::new(Some(request.id.clone()), why)))
        };
        let Some(session) = session else {
            let is_new = matches!(request.request, ClientRequest::InitializeRequest(_));
            if is_new && self.sessions.sessions.read().await.len() >= MOST_SESSIONS {
                let why = "there are too many connections; end one with DELETE";
                return refused(StatusCode::SERVICE_UNAVAILABLE, why);
            }
            return Ok(None);
        };
        let what = (session, request.id.clone());
        if !self.open.requests().insert(what.clone()) {
            let why = "a request with this id has no answer yet";
            return refused(StatusCode::BAD_REQUEST, why);
        }
        let open = Arc::clone(&self.open);
        Ok(Some(UnderWay { open, what }))
    }
}

/// Tells whoever asked why nothing was done.
fn told(status: StatusCode, refused: &Refused) -> Answer {
    let body: Value = match &refused.id {
        Some(id) => json!({"jsonrpc": "2.0", "id": id, "error": refused.why}),
        None => message::to_nobody(&refused.why),
    };
    let mut answer = Response::new(Full::new(Bytes::from(body.to_string())).boxed());
    *answer.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(CONTENT_TYPE, json);
    answer
}
