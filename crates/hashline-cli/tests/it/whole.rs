//! `hashline apply --whole`: a file as it was sent, as the tool `write` of the server takes it.

use crate::stage::Stage;

#[test]
fn a_whole_file_is_written_as_sent_and_copied_anchors_are_refused() {
    let stage = Stage::new(&[("a.txt", "one\ntwo\n")]);
    let write = |request: &str| stage.feed(&["apply", "--whole"], request.as_bytes());
    let copied = r#"{"path":"a.txt","rev":"c796d15e","content":"1:60|one\nnew\n"}"#;
    stage.run(&["read", "a.txt"]).done();
    let told = write(copied);
    assert_eq!(told.code, Some(2), "{told:?}");
    assert!(told.err.contains("`1:60|` in line 1"), "{told:?}");
    assert_eq!(stage.text("a.txt"), "one\ntwo\n");
    let meant = copied.replace("\"path\"", "\"keep_anchors\":true,\"path\"");
    assert_eq!(write(&meant).code, Some(0));
    assert_eq!(stage.text("a.txt"), "1:60|one\nnew\n");
    let new = r#"{"path":"b.txt","content":"one\r\nlast"}"#;
    assert_eq!(write(new).code, Some(0));
    assert_eq!(stage.text("b.txt"), "one\r\nlast");
    assert_eq!(write(new).code, Some(2), "it is there already");
}
