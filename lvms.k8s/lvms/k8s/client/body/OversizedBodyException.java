package lvms.k8s.client.body;

import java.io.IOException;

/** An answer, or one object in it, is larger than any that is kept. It would be so again. */
public final class OversizedBodyException extends IOException {
    private static final long serialVersionUID = 1;

    OversizedBodyException(String what, long maxBytes) {
        super(what + " has more than " + maxBytes + " bytes");
    }
}
