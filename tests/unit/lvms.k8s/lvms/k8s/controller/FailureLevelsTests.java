package lvms.k8s.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.ApiStatus;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A right that is missing does not fill the log; the trouble of one object is always told. */
class FailureLevelsTests {
    private final FailureLevels levels = new FailureLevels();

    private static ApiException answer(int code) {
        var status = new ApiStatus(code, "", "no", "", List.of(), Optional.empty());
        return ApiException.of("patch nodes n1", status);
    }

    @Test
    void oneRefusalAMinuteIsTold() {
        assertEquals(Level.WARNING, levels.of(answer(403), 0));
        assertEquals(Level.DEBUG, levels.of(answer(403), 1));
        assertEquals(Level.DEBUG, levels.of(answer(401), TimeUnit.SECONDS.toNanos(59)));
        assertEquals(Level.WARNING, levels.of(answer(403), TimeUnit.SECONDS.toNanos(60)));
    }

    @Test
    void theTroubleOfOneObjectIsToldEachTime() {
        for (int i = 0; i < 3; i++) {
            assertEquals(Level.WARNING, levels.of(answer(422), i));
            assertEquals(Level.WARNING, levels.of(new IOException("disk"), i));
        }
    }

    @Test
    void conflictsAreNoTrouble() {
        assertEquals(Level.DEBUG, levels.of(answer(409), 0));
    }
}
