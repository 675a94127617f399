package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** lvm2_run gets exactly the words that were meant, or the command goes to exec. */
class CommandLineTests {
    @Test
    void plainWordsAreJoinedByBlanks() {
        assertEquals(
                Optional.of("lvs -o lv_name a'b"),
                CommandLine.of(List.of("lvs", "-o", "lv_name", "a'b")));
    }

    @Test
    void wordsWithBlanksOrASpecialStartAreQuoted() {
        assertEquals(
                Optional.of("x 'a \"b\"' '#c' '' \"d 'e'\""),
                CommandLine.of(List.of("x", "a \"b\"", "#c", "", "d 'e'")));
    }

    @Test
    void whatTheGrammarCannotExpressIsNotTried() {
        assertEquals(Optional.empty(), CommandLine.of(List.of("x", "both ' and \"")));
        assertEquals(Optional.empty(), CommandLine.of(List.of("x", "two\nlines")));
        assertEquals(Optional.empty(), CommandLine.of(Collections.nCopies(64, "x")));
        assertEquals(125, CommandLine.of(Collections.nCopies(63, "x")).orElseThrow().length());
    }
}
