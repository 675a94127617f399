package lvms.k8s.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.ApiStatus;
import lvms.k8s.object.ObjectKey;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Neither a right that is missing nor the retries of one object fill the log; news are told. */
class FailureLevelsTests {
    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final ObjectKey B = ObjectKey.of("ns", "b");

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private final FailureLevels levels = new FailureLevels();

    private static ApiException answer(int code) {
        var status = new ApiStatus(code, "", "no", List.of(), Optional.empty());
        return ApiException.of("patch nodes n1", status);
    }

    @Test
    void oneRefusalAMinuteIsTold() {
        assertEquals(Level.WARNING, levels.of(A, answer(403), 0));
        assertEquals(Level.DEBUG, levels.of(B, answer(403), 1));
        assertEquals(Level.DEBUG, levels.of(A, answer(401), TimeUnit.SECONDS.toNanos(59)));
        assertEquals(Level.WARNING, levels.of(A, answer(403), TimeUnit.SECONDS.toNanos(60)));
    }

    @Test
    void theTroubleOfOneObjectIsToldWhenItIsNews() {
        assertEquals(Level.WARNING, levels.of(A, answer(422), 0));
        assertEquals(Level.DEBUG, levels.of(A, answer(422), 1));
        assertEquals(Level.WARNING, levels.of(B, answer(422), 2), "another object");
        assertEquals(Level.WARNING, levels.of(A, new IOException("disk"), 3), "another failure");
        assertEquals(Level.DEBUG, levels.of(A, new IOException("disk"), 4));
        assertEquals(Level.WARNING, levels.of(A, new IOException("disk 2"), 5));
    }

    @Test
    void aConflictBetweenTwoFailuresMakesNoNewsOfTheSecond() {
        assertEquals(Level.WARNING, levels.of(A, new IOException("disk"), 0));
        assertEquals(Level.DEBUG, levels.of(A, answer(409), 1));
        assertEquals(Level.DEBUG, levels.of(A, new IOException("disk"), 2));
    }

    @Test
    void aFailureAfterASuccessIsNews() {
        assertEquals(Level.WARNING, levels.of(A, new IOException("disk"), 0));
        levels.succeeded(A);
        assertEquals(Level.WARNING, levels.of(A, new IOException("disk"), 1));
    }

    @Test
    void aFailureThatLastsIsToldOnceAnHour() {
        assertEquals(Level.WARNING, levels.of(A, new IOException("disk"), 0));
        assertEquals(Level.DEBUG, levels.of(A, new IOException("disk"), HOUR - 1));
        assertEquals(Level.WARNING, levels.of(A, new IOException("disk"), HOUR));
        assertEquals(Level.DEBUG, levels.of(A, new IOException("disk"), HOUR + 1));
    }

    @Test
    void conflictsAreNoTrouble() {
        assertEquals(Level.DEBUG, levels.of(A, answer(409), 0));
    }
}
