/** Trace points that are switched off unless an implementation is present; we ship none. */
module io.perfmark {
    exports io.perfmark;
}
