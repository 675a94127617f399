package lvms.launcher;

import java.util.function.BooleanSupplier;

/** A check that fails until the part is there that it is about. */
final class LateCheck implements BooleanSupplier {
    private volatile BooleanSupplier part = () -> false;

    void is(BooleanSupplier ready) {
        part = ready;
    }

    @Override
    public boolean getAsBoolean() {
        return part.getAsBoolean();
    }
}
