package lvms.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;

/** Flags count until an annotation says otherwise, and again when it is gone; no restart. */
class LoggingTests {
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678901234Z");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StreamHandler handler = new StreamHandler(out, new SimpleFormatter());
    private final Logger root = Logger.getAnonymousLogger();
    private final Logger ours = Logger.getAnonymousLogger();

    @BeforeEach
    void connect() {
        root.setUseParentHandlers(false);
        root.addHandler(handler);
        ours.setParent(root);
    }

    private Logging logging(LogSettings flags) {
        return new Logging(flags, root, ours);
    }

    /** What is written for an event of ours. */
    private String line(Level level, String logger, Throwable thrown) {
        var event = new LogRecord(level, "volume made size={0}");
        event.setLoggerName(logger);
        event.setInstant(TIME);
        event.setThrown(thrown);
        out.reset();
        ours.log(event);
        handler.flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    private boolean logs(Level level) {
        return !line(level, "lvms.node.NodeAgent", null).isEmpty();
    }

    private ObjectTree json(Level level, Throwable thrown) {
        var line = line(level, "lvms.x", thrown);
        assertEquals(1, line.lines().count(), line);
        return Json.parse(line).asObject();
    }

    private static Map<String, String> level(String word) {
        return Map.of(Names.LOG_LEVEL_ANNOTATION, word);
    }

    @Test
    void anAnnotationChangesTheLevelAndItsEndTheWayBack() {
        var logging = logging(LogSettings.DEFAULT);
        assertFalse(logs(Level.FINE));
        logging.follow(level("debug"));
        assertTrue(logs(Level.FINE) && !logs(Level.FINER));
        logging.follow(level("error"));
        assertTrue(logs(Level.SEVERE) && !logs(Level.WARNING));
        logging.follow(Map.of());
        assertTrue(logs(Level.INFO) && !logs(Level.FINE));
    }

    @Test
    void anUnknownWordLeavesTheLevelOfTheFlags() {
        var logging = logging(LogSettings.DEFAULT.level(Level.FINE));
        logging.follow(level("error"));
        logging.follow(level("loud"));
        assertTrue(logs(Level.FINE));
    }

    @Test
    void onlyOurOwnLoggersSayMore() {
        logging(LogSettings.DEFAULT.level(Level.FINER));
        assertEquals(Level.INFO, root.getLevel());
        assertEquals(Level.FINER, ours.getLevel());
        logging(LogSettings.DEFAULT.level(Level.SEVERE));
        assertEquals(Level.SEVERE, root.getLevel());
    }

    @Test
    void aPartHasALevelOfItsOwn() {
        logging(LogSettings.DEFAULT.parts(LogWords.vmodule("NodeAgent=4")));
        assertTrue(logs(Level.FINE));
        assertEquals("", line(Level.FINE, "lvms.node.NodeLock", null));
        assertFalse(line(Level.INFO, null, null).isEmpty());
    }

    @Test
    void theAnnotationTurnsLinesIntoJsonAndBack() {
        var logging = logging(LogSettings.DEFAULT);
        logging.follow(Map.of(Names.LOG_FORMAT_ANNOTATION, "json"));
        assertEquals(
                Json.parse(
                        """
                        {"level": "info", "ts": "2026-01-02T03:04:05.678901Z", "logger": "lvms.x",
                         "msg": "volume made size={0}"}
                        """),
                json(Level.INFO, null));
        logging.follow(Map.of());
        assertFalse(line(Level.INFO, "lvms.x", null).startsWith("{"));
    }

    @Test
    void jsonHasTheFailureAndItsTraceFromTheLevelOn() {
        logging(LogSettings.DEFAULT.json(true).traces(Level.SEVERE));
        var failure = new IllegalStateException("no room");
        var warning = json(Level.WARNING, failure);
        assertEquals("warn", warning.text("level").orElseThrow());
        assertTrue(warning.text("error").orElseThrow().endsWith("no room"));
        assertFalse(warning.has("stacktrace"));
        assertTrue(
                json(Level.SEVERE, failure)
                        .text("stacktrace")
                        .orElseThrow()
                        .contains("LoggingTests"));
    }

    @Test
    void textWithoutTraceStillSaysWhatFailed() {
        logging(LogSettings.DEFAULT.traces(Level.SEVERE));
        var failure = new IllegalStateException("no room");
        var warning = line(Level.WARNING, "lvms.x", failure);
        assertTrue(warning.contains("IllegalStateException: no room"), warning);
        assertFalse(warning.contains("\tat "), warning);
        assertTrue(line(Level.SEVERE, "lvms.x", failure).contains("\tat "));
    }

    @Test
    void timesAreWrittenAsZapIsTold() {
        logging(LogSettings.DEFAULT.json(true).time(LogWords.time("nano")));
        assertEquals(1767323045678901234L, json(Level.INFO, null).number("ts").orElseThrow());
        logging(LogSettings.DEFAULT.json(true).time(LogWords.time("epoch")));
        var seconds = Double.parseDouble(json(Level.INFO, null).at("ts").asText());
        assertEquals(1767323045.678, seconds, 1e-3);
    }
}
