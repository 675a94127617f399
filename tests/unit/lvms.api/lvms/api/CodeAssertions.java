package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.function.Executable;

/** What a call has to fail with. */
public final class CodeAssertions {
    private CodeAssertions() {}

    /** Returns the failure, once it has the code. */
    public static VolumeException assertCode(StatusCode code, Executable call) {
        var failure = assertThrows(VolumeException.class, call);
        assertEquals(code, failure.code(), failure.getMessage());
        return failure;
    }
}
